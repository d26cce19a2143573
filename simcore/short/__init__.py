"""Short games, which consist of rules alone.

The package contains the declarations (`components`), the functions for rules (`words`), the reading of the
file (`reading`, `mistakes`), and the full form generated from it (`writing`, `table`).
"""
