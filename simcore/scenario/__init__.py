"""Scenarios: a game's numbers and rulings as data, with where each came from."""
