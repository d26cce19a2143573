"""Scenarios: a game's numbers and rulings as data, each with its source."""
