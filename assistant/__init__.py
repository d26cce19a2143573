"""A server for assistants (Model Context Protocol) and a skill: the questions of the command line as tools.

No language model plays, guesses or computes a number here: a tool runs a question of `bartizan.api`.
"""
