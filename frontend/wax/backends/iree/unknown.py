"""What is said of a program that is left to IREE."""

__all__ = ["UnknownError"]


class UnknownError(Exception):
    """Something in a program that is left to IREE."""
