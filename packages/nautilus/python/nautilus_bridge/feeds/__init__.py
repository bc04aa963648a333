"""Data clients of paper nodes."""
