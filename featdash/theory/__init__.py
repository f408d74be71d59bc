"""Mathematics without data."""
