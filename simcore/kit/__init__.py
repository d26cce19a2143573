"""Shared code of the engines, independent of any one game."""
