"""Plays by people: read from files, stored in a folder with one row per seat."""
