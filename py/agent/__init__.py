"""The guest of one run."""
