"""A Model Context Protocol server with the command line's questions as tools, and a skill (SKILL.md).

No language model plays, guesses or computes a number here: a tool runs a question of `bartizan.api`.
"""
