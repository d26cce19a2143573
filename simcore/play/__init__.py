"""Playing games: one step that every loop takes, and one file for each experiment.

An experiment's file holds its kernel (the compiled loop), what the kernel is called with, and its front end.
"""
