"""Commands of the console and what they do in the node."""
