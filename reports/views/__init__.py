"""One answer a file: its document, as JSON has it, and the blocks that every renderer shows of it."""
