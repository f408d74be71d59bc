"""What a first layer looks like. NumPy only, so that the server may import it."""
