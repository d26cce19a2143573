"""The rules, one file a chapter.

throws and decks (3), pawns and ways (4, 6), blocking (6.5), claims (4.10, 4.11), escaping (5), tunnels (8),
allied_cards and german_cards (9), ending (10).
"""
