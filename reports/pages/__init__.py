"""Answers as pages: the content of a report by kind of game, and its formats."""
