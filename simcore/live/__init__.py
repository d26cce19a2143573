"""Live engines: games that another program plays, asked line by line (docs/engines.md)."""
