"""The rulebook, one section a file: orders (2.0), fighting (2.2), moves (2.4), command (2.6), escaping (2.8),
attributes (3), targets (4.0), attacks (4.1), counters (4.3, 5.0), fire (4.4), tactics (6.1), planning (6.2);
board holds the moving of pieces, dice the rolls.
"""
