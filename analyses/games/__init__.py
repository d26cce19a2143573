"""Questions about one game."""
