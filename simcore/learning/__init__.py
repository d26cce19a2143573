"""What a learned player sees of a short game, its network, and the games in which it learns."""
