"""What the engines of several games share. It knows no game."""
