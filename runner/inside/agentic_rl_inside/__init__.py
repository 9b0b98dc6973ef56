"""What the training process imports; the real content comes from the engine room."""
