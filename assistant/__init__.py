"""A server for assistants (Model Context Protocol) and a skill, with the command line's questions as tools.

No language model plays, guesses or computes a number here: a tool runs a question of `bartizan.api`.
"""
