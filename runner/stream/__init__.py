"""Lines in, events out: metrics, progress, devices, failures; knows no other room."""
