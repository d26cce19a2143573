"""The rulebook by its sections: defenders (2), attributes (3), siege (4), tactics (6).

`board` contains moves of pieces and dice rolls. `hidden` redeals the information that a seat cannot know.
"""
