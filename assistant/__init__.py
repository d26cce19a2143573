"""A Model Context Protocol server that offers the command line's questions as tools, and a skill (SKILL.md)
for assistants.

No language model plays, guesses or computes a number here: a tool runs a question of `bartizan.api`.
"""
