"""Simulation of games: one step that every loop uses, and one file for each experiment.

The file of an experiment contains its kernel (the compiled loop), the kernel's arguments, and its front end.
"""
