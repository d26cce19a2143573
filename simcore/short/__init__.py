"""Short games, which consist of rules alone: declarations (`components`), the words of rules (`words`),
reading the file (`reading`, `mistakes`), and the full form generated from it (`writing`, `table`).
"""
