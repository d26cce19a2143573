"""An environment with the interface of PettingZoo (AEC): one penny each, the first wins if they are alike."""

from types import SimpleNamespace


class Environment:
    possible_agents = ("even", "odd")

    def reset(self, seed):
        print("Welcome!")  # as some environments do
        self.shown, self.rewards = [], dict.fromkeys(self.possible_agents, 0)

    def agent_iter(self):
        for turn in range(4):  # each once more when the game is over
            self.agent = self.possible_agents[turn % 2]
            yield self.agent

    def last(self):
        is_over = len(self.shown) == 2
        return {"observation": None, "action_mask": [0, 1, 1]}, 0, is_over, False, {}

    def action_space(self, agent):
        return SimpleNamespace(n=3)

    def step(self, action):
        if len(self.shown) == 2:
            assert action is None
            self.rewards = dict.fromkeys(self.possible_agents, 0)
            return
        self.shown.append(action)
        if len(self.shown) == 2:
            won = 1 if self.shown[0] == self.shown[1] else -1
            self.rewards = {"even": won, "odd": -won}


def env():
    return Environment()
