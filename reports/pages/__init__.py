"""Content of reports by kind of game."""
