"""What a beginner gets wrong in a short game, in one line: file, line, rule, and what to write instead."""


def first_mistake(game) -> str:
    return ""
