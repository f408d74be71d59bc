"""The queue, the workers and the store."""
