"""Answers as pages: what a report shows, by kind of game, and the formats it is written in."""
