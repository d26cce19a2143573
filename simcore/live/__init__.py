"""Live engines: other programs that play games, over a protocol of text lines (docs/engines.md)."""
