"""What can be written: templates, parameters explained, schemas, machine profiles."""
