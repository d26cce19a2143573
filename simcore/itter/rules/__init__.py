"""The rulebook, one file a chapter: sight (1), defenders (2), attributes (3), ss_phase (4), ending (5),
tactics (6); board holds the moving of pieces.
"""
