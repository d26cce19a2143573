"""Tic-tac-toe: three of your marks in a row win."""

from bartizan.short import *

players = 2
length = Number(3, 2, 3, "the usual rules")
board = Grid(3, 3)


def can_mark(s, n, cell):
    return at(s.board, cell) == 0


def mark(s, n, cell: board):
    lay(s.board, cell, s.me + 1)
    if in_a_row(s.board, cell, s.me + 1, n.length):
        win(s, s.me, "marks in a row")
    elif times(s.board, 0) == 0:
        tie(s, "the board is full")
    else:
        next_player(s)


def careful(s, n, legal):
    """Wins if possible, otherwise blocks, otherwise takes the middle or any other cell."""
    for player in (s.me, 1 - s.me):
        for cell in range(9):
            if can_mark(s, n, cell) and in_a_row(s.board, cell, player + 1, n.length):
                return MARK(cell)
    return MARK(4) if can_mark(s, n, 4) else any_of(s, legal)
