"""Titles of documentation pages, for messages. An installed package does not contain the pages."""

TITLES = {
    "adding-a-game": "A game in the full form",
    "adding-a-policy": "A policy of your own",
    "claims": "Claims",
    "data": "The games as data",
    "engines": "Your own engine",
    "install": "Install",
    "ladder": "Ladder and restricted policies",
    "luck": "Luck-adjusted win rates",
    "playtests": "Play records",
    "records": "Records from your own simulator",
    "short-cards": "Cards of a short game",
    "short-games": "A game of your own in an hour",
    "strong-play": "Strong play",
    "validity": "How far can the numbers be trusted?",
}


def page(name: str) -> str:
    """Return the reference to docs/`name`.md: its title, which readers can search for."""
    return f'"{TITLES[name]}" in the documentation'


def extra(name: str) -> str:
    """Return how to install an extra from the clone, because Bartizan is not on a package index."""
    return f'install the extra {name}: run pip install ".[{name}]" in the clone of Bartizan'
