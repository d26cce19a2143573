"""Loaded once by the process from which `tests.soak.trials` forks its commands."""

from tests.soak import child

child.warm()
