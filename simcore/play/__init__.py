"""Simulation of games: the step that all loops share, and one file for each experiment.

The file of an experiment contains its kernel (the compiled loop), the types of the kernel's arguments, and
the Python class that runs it.
"""
