"""A game as its rules alone: what is declared (`components`), the words rules are written in (`words`), how
the file is read (`reading`, `mistakes`) and the long game file written from it (`writing`, `table`).
"""
