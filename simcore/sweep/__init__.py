"""Sweeps: many cells, each simulated into its own shards, and the folder that contains them."""
