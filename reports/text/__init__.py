"""Text for readers: numbers with intervals, sentences, names, and the glossary."""
