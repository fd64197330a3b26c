"""The four problems of ADBench: what they compute, and instances of them."""
