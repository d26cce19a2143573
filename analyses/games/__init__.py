"""Analyses that apply to only one game."""
