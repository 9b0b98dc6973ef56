"""What a configuration is: parameters, problems, schemas; read from templates/."""
