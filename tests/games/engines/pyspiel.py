"""As much of OpenSpiel's module as its adapter asks for, with tic-tac-toe alone: tests need no OpenSpiel."""

from types import SimpleNamespace

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
GameType = SimpleNamespace(Information=SimpleNamespace(PERFECT_INFORMATION=1))


class State:
    """A coin that does not matter is tossed before the first mark: a chance node."""

    def __init__(self, cells="?........"):
        self.cells = cells

    def is_chance_node(self):
        return "?" in self.cells

    def chance_outcomes(self):
        return [(0, 0.5), (1, 0.5)]

    def current_player(self):
        return -1 if self.is_chance_node() else self.move_number() % 2

    def move_number(self):
        return 9 - self.cells.count(".")

    def legal_actions(self):
        return [cell for cell, mark in enumerate(self.cells) if mark == "."]

    def apply_action(self, action):
        if self.is_chance_node():
            self.cells = self.cells.replace("?", ".")
        else:
            self.cells = self.cells[:action] + "xo"[self.current_player()] + self.cells[action + 1 :]

    def returns(self):
        has = [any(all(self.cells[cell] == mark for cell in line) for line in LINES) for mark in "xo"]
        return [float(has[0] - has[1]), float(has[1] - has[0])]

    def is_terminal(self):
        return any(self.returns()) or not self.legal_actions()

    def serialize(self):
        return self.cells


class TicTacToe:
    def get_type(self):
        return SimpleNamespace(information=GameType.Information.PERFECT_INFORMATION)

    def num_players(self):
        return 2

    def new_initial_state(self):
        return State()

    def deserialize_state(self, text):
        return State(text)

    def __str__(self):
        return "tic_tac_toe()"


def load_game(name):
    assert name == "tic_tac_toe"
    return TicTacToe()


def RandomRolloutEvaluator(rollouts, seed):
    return seed


class MCTSBot:
    """Marks a cell that wins, else the first that is free."""

    def __init__(self, game, evaluator, uct, simulations, memory, solve, seed, verbose):
        assert simulations >= len(State().cells)

    def step(self, state):
        legal, me = state.legal_actions(), state.current_player()
        tried = [State(state.cells) for _ in legal]
        for after, cell in zip(tried, legal, strict=True):
            after.apply_action(cell)
        return next((cell for after, cell in zip(tried, legal, strict=True) if after.returns()[me] > 0), legal[0])
