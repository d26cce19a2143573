"""Bartizan: Monte Carlo balance and difficulty analysis for board games."""
