"""Learned players of short games: their view of the game, their network, and their training games."""
