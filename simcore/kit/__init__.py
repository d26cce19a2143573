"""Code that the engines share. It does not depend on a particular game."""
