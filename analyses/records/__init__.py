"""Questions that recorded games answer: each counts distinct values in one pass and works on the counts."""
