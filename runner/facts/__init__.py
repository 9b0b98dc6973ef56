"""Looks at the world and returns values; knows no other room."""
