"""`run --local`: a few steps on this CPU, and what they tell of the file."""
