"""What a configuration is: data only, no logic."""
