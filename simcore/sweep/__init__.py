"""Sweeps: many cells, each played into its own shards, and the folder that holds them."""
