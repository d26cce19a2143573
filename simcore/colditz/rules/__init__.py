"""The rules, one file per chapter of the rulebook.

decks (3), pawns and ways (4, 6, 8), pow_moves (4), guard_moves (6), escaping (3, 5, 10), allied_cards and
german_cards (9).
"""
