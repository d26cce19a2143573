"""The rulebook by its sections: defenders (2), attributes (3), siege (4), tactics (6).

`board` holds the moving of pieces and the rolls, `hidden` what one seat cannot know.
"""
