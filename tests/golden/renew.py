"""Write the golden traces anew: python -m tests.golden.renew. Read the difference before committing it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
SEED, NUMBER = 2016, 7
POLICIES = {
    "itter": ["fight", "garrison"],
    "colditz": ["greedy", "escape_officer"],
    "castle": ["plain", "steward"],
    "rampage": ["greedy", "tactician"],
}  # besides random, which every game has
VARIANTS = {  # further traces of a game: name -> what is set, each by its strongest policy
    "castle": {
        "three": {"players.count": 3},
        "four": {"players.count": 4},
        "joker": {"advanced.jokers": 1},
        "jokers": {"advanced.jokers": 2, "players.count": 3},
        "berserker": {"advanced.berserker": True},
        "same_number_attack": {"advanced.same_number_attack": True},
        "same_number_defence": {"advanced.same_number_defence": True},
        "same_suit": {"advanced.same_suit": True},
        "saboteur": {"advanced.saboteur": True},
        "barricade": {"advanced.barricade": True},
    },
    "rampage": {
        "choices": {
            "rulings.effect_or_attack": "choice",
            "rulings.attack_compulsory": "optional",
            "rulings.boost_times": "any_number",
            "rulings.repelled_veteran": "in_front",
            "rulings.discard_choice": "look_and_choose",
            "rulings.hand_limit": "limited",
            "turn.hand_limit": 4,
        },
        "late": {
            "rulings.text_timing": "after_attack",
            "rulings.several_symbols": "yes",
            "rulings.repelled_veteran": "under_a_stack",
            "rulings.discard_choice": "opponent_chooses",
            "rulings.midturn_reshuffle": "left_out",
            "rulings.strengthen_timing": "before_plays",
        },
    },
}


@dataclass(frozen=True)
class Name:
    """A trace that must exist."""

    game: str
    scenario: str
    difficulty: str
    policy: str
    variant: str = ""
    sets: dict = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        return ".".join(filter(None, (self.game, self.scenario, self.difficulty, self.policy, self.variant)))

    @property
    def path(self) -> Path:
        return HERE / f"{self}.txt"


def names() -> Iterator[Name]:
    from bartizan.simcore.conformance import each_scenario
    from bartizan.simcore.game import game_names, load_game

    for game in game_names():
        policies = ["random", *POLICIES.get(game, [])]
        for scenario in each_scenario(load_game(game)):
            for policy in policies:
                yield Name(game, scenario.name, scenario.difficulty, policy)
            for variant, sets in VARIANTS.get(game, {}).items():
                yield Name(game, scenario.name, scenario.difficulty, policies[-1], variant, sets)


def trace(name: Name) -> str:
    """The game as text: every decision, everything that followed, and the record."""
    from bartizan.policies.registry import find_player, line_ups
    from bartizan.simcore.game import load_game
    from bartizan.simcore.play.match import Match
    from bartizan.simcore.play.replay import record_of, replay
    from bartizan.simcore.scenario.loading import load_scenario

    it = load_game(name.game)
    scenario = load_scenario(it, name.scenario, name.difficulty, name.sets)
    (line_up,) = line_ups(it, [name.policy])  # an officer of one side meets the default player of the other
    match = Match(it, scenario, tuple(find_player(it, text) for text in it.seated(scenario, line_up)), SEED)
    variant = f" {name.variant}" if name.variant else ""
    lines = [f"{name.game} {name.scenario} {name.difficulty} {name.policy}{variant}, behaviour {it.behaviour}, seed {SEED}, game {NUMBER}"]
    for ply in replay(match, NUMBER):
        lines.append(f"{ply.number}: {ply.text}")
        lines += [f"    {event}" for event in ply.events]
    lines.append(", ".join(f"{key} {value}" for key, value in record_of(match, NUMBER).items()))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    from bartizan.simcore.compile import cache

    cache.configure()
    for one in names():
        one.path.write_text(trace(one), encoding="utf-8")
