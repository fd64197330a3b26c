"""The rows of `bench.py`, a module for each kind of work, as cases that `cases.timed` takes."""
