"""Analyses that simulate games of their own."""
