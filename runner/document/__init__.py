"""YAML files: read with positions, edit byte by byte, make new ones."""
