"""Plays by people: read from files, kept in a folder, a row a seat."""
