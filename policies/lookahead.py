"""`lookahead`: any policy, extended by simulated futures of each action.

It uses truncated rollouts (Tesauro & Galperin 1996). At each decision, every legal action is simulated for
some turns with the base policy. In each future, dice are rolled again and face-down cards are redealt. Then a
value model evaluates the state (`model_value`). All actions share the random numbers of a future, so that
their difference is the effect of the action. A few futures screen all actions, twice as many screen the
better half (at most `width` actions), and so on (sequential halving: Karnin, Koren & Somekh 2013). The best
remaining action and the base policy's own choice are then compared in new futures. The base policy's choice
is replaced only if the paired difference is significant.

The budget is a number of simulations, never a time, so that games are the same on any machine.

In the built-in games, the number of turns was chosen by simulation (docs/strong-play.md). In any other game,
the policy is first compared with its base in a trial (`policies.trial`), because a poor value model can make
it play far worse than its base.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

from bartizan.policies import trial as trials
from bartizan.policies.futures import (
    LONGEST,
    begin_future,
    check_can_determinize,
    maker,
    play_some,
    scratch_dtype,
)
from bartizan.policies.protocol import Policy, as_player
from bartizan.policies.value_model import WorthModel, fitted, identity, model_value, once
from bartizan.simcore.compile.jit import bind, compiled, jit
from bartizan.simcore.compile.rules import (
    PLAYING,
    PLY_CAP,
    answer,
    foreseen,
    new_scratch,
    new_trials,
    turn_number,
    turns_ahead,
    value_of,
)
from bartizan.simcore.errors import PolicyError
from bartizan.simcore.game import Game
from bartizan.simcore.play.luck_adjusted import lateness
from bartizan.simcore.play.match import Player
from bartizan.simcore.play.step import write_row
from bartizan.simcore.play.worth import compiled_aim
from bartizan.simcore.scenario.loading import Scenario

SETTINGS = {
    "plays": 1024.0,  # maximum futures in which the two best are judged
    "screen": 8.0,  # futures in which every action is screened
    "width": 4.0,  # actions that are examined a second time
    # required lead over the base policy's choice at the last look, in standard errors: there are hundreds of
    # comparisons per game, and a false positive costs more than a miss
    "doubt": 3.0,
    # simulated turns before the state is judged (`fit`); 0: to the end, as in a game without features;
    # BY_TRIAL: chosen by a short trial, as in a game that is not built in
    "turns": 6.0,
    "trust": 0.0,  # bit mask of kinds of action: if the base policy chooses one of them, it is played
    "peek": 0.0,  # 1: it sees face-down cards, which no player may, to measure the value of that information
}
LIMITS = {
    "plays": (2, 1e6),
    "screen": (1, 1e6),
    "width": (2, 1e6),
    "doubt": (0, 1e9),
    "turns": (-1, 1e6),
    "peek": (0, 1),
}
PLAYS, SCREEN, WIDTH, DOUBT, TURNS, TRUST, PEEK = range(7)
BY_TRIAL, NEVER = -1.0, -2.0  # values of `turns`: a trial chooses; the base policy's choice is always played
TO_THE_END, TRIED_PLAYS = 0.0, 16.0
FIRST = len(SETTINGS)  # index of the base policy's first own weight
LEAST_PLAYS = 16  # futures before the first look
HOPELESS = 1.0  # standard errors by which the second of two candidates may be behind and still be examined
# bound: bit mask of the seats that look ahead, index of the weights of the other policy, words of the base
# policy's memory, number of arguments of a kind of action
OWN, BEHIND, KEPT, ARGUMENTS = (1, 0, 0, 1)
LEARNED = 0  # bound: index among the weights of what the policy has learned


def choose(state, tables, legal, n_legal, weights):
    own = answer(state, tables, legal, n_legal, weights)
    is_trusted = weights[TRUST] > 0.0 and int(weights[TRUST]) >> own // ARGUMENTS & 1
    if n_legal == 1 or is_trusted or turns_ahead(weights) == NEVER:
        return own
    return searched(state, tables, legal, n_legal, weights, own, new_trials(), new_scratch())


def learned_turns(weights):
    """Return the lookahead depth in turns, which the policy has learned (`Lookahead.learn`)."""
    return weights[LEARNED]


def searched(state, tables, legal, n_legal, weights, own, trials, scratch):
    """Return the base policy's choice `own`, or an action that is significantly better.

    Modifies `trials` and `scratch`.
    """
    work = scratch[0]
    n = line_up(legal, n_legal, own, work)
    each, played = int(weights[SCREEN]), 0
    while n > 2:
        for i in range(n):
            work.total[i] += total_of(state, tables, weights, trials, work, work.action[i], played, each)
        played += each
        n = keep_best(work, n, max(min(int(weights[WIDTH]), (n + 1) // 2), 2))
        each *= 2
    return judged(state, tables, weights, trials, work, played)


def line_up(legal, n_legal, own, work):
    """Write the candidates to `work`, `own` first. Return their number."""
    work.action[0] = own
    work.total[0] = 0.0
    n = 1
    for i in range(n_legal):
        if legal[i] != own:
            work.action[n] = legal[i]
            work.total[n] = 0.0
            n += 1
    return n


def keep_best(work, n, kept):
    """Move the `kept` best candidates in `work` to the front, and return `kept`.

    The base policy's choice stays first regardless of its value.
    """
    for i in range(1, kept):
        best = i
        for j in range(i + 1, n):
            if work.total[j] > work.total[best]:
                best = j
        work.action[i], work.action[best] = work.action[best], work.action[i]
        work.total[i], work.total[best] = work.total[best], work.total[i]
    return kept


def judged(state, tables, weights, trials, work, played):
    """Return the better of two candidates in new futures.

    The second is returned only if it is significantly better than the first.

    Tests after LEAST_PLAYS futures, and after each doubling. Early looks have stricter limits, so that the
    joint error rate is only slightly higher than the error rate of the last look (O'Brien & Fleming 1979).
    The first candidate is kept as soon as it leads by HOPELESS standard errors.
    """
    n, total, squares, look = 0, 0.0, 0.0, LEAST_PLAYS
    most = int(weights[PLAYS])
    while n < most:
        own = total_of(state, tables, weights, trials, work, work.action[0], played + n, 1)
        other = total_of(state, tables, weights, trials, work, work.action[1], played + n, 1)
        n += 1
        total += other - own
        squares += (other - own) ** 2
        if n == min(look, most):
            mean = total / n
            error = np.sqrt(max(squares / n - mean * mean, 0.0) / (n - 1))
            if mean <= -HOPELESS * error:
                return work.action[0]
            if mean > weights[DOUBT] * error * np.sqrt(most / n):
                return work.action[1]
            look *= 2
    return work.action[0]


def total_of(state, tables, weights, trials, work, action, first, n):
    """Return the summed value of `action` for the player to move in n futures, numbered from `first`.

    Modifies `trials` and `work`.
    """
    trial, total = trials[0], 0.0
    turns = turns_ahead(weights)
    until = turn_number(state) + turns if turns > 0.0 else np.inf
    for k in range(first, first + n):
        begin_future(state, tables, action, trials, k, weights[PEEK] > 0.0)
        plies = 1 + play_some(trial, tables, weights, work.legal[:], LONGEST, until)
        if trial.end_reason == PLAYING and plies > LONGEST:
            trial.end_reason = PLY_CAP
        if trial.end_reason == PLAYING:
            total += foreseen(trial, tables, weights, work.seen[:])
        else:
            write_row(trial, tables, plies, work.record)
            total += value_of(work.record, state.to_move)
    return total


def own_policy(state, tables, legal, n_legal, weights):
    """Placeholder for the base policy.

    `bind` replaces it, and also `other_policy`, the policy of the other roles.
    """
    raise NotImplementedError


other_policy = own_policy


def either(state, tables, legal, n_legal, weights):
    """Return the choice of the policy for the player to move.

    This is the base policy in its own roles, otherwise the policy of the other roles.
    """
    if OWN >> state.to_move & 1:
        return own_policy(state, tables, legal, n_legal, weights[FIRST:])
    return other_policy(state, tables, legal, n_legal, weights[BEHIND : len(weights) - KEPT])


@dataclass(frozen=True, eq=False)
class Lookahead(Policy):
    """A lookahead policy, created by `looking_ahead`."""

    base: Policy = field(kw_only=True)
    other: Policy = field(kw_only=True)  # the policy of the other roles
    own_seats: tuple[int, ...] = field(kw_only=True)

    @property
    def room(self) -> int:
        return self.base.room + self.other.room

    @property
    def learns(self) -> bool:
        return True

    def decided_by(self) -> tuple[Callable, ...]:
        return (self.choose, choose, self.other.choose)

    def compiled_for(self, engine):
        check_can_determinize(self.name, engine)
        sizes = (len(self.base.weights), len(self.weights), self.base.room)
        bases = (self.base.compiled_for(engine), self.other.compiled_for(engine))
        return compiled_lookahead(bases, self.base.aim, sizes, self.own_seats, engine)

    def learn(self, game: Game, scenario: Scenario, seat: int) -> np.ndarray:
        """Return the lookahead depth in turns, followed by the value model (`fit`).

        The model is omitted if the depth is TO_THE_END or NEVER.
        """
        turns = self.weights["turns"]
        if turns == BY_TRIAL:
            turns = chosen_turns(self, game, scenario)
        if turns in (TO_THE_END, NEVER):
            return np.array([turns])
        guess = fitted(game, scenario, self.bases(game, scenario), seat)
        return np.concatenate([[turns], guess.model])

    def bases(self, game: Game, scenario: Scenario) -> tuple[Player, ...]:
        """Return the policy of each seat without lookahead, as players."""
        ours, others = as_player(game, self.base), as_player(game, self.other)
        return tuple(ours if i in self.own_seats else others for i in range(len(game.roles_in(scenario))))


def chosen_turns(policy: Lookahead, game: Game, scenario: Scenario) -> float:
    """Return the result of `_tried_turns`, computed once for each policy and setting."""
    bases, seat = policy.bases(game, scenario), policy.own_seats[0]
    settings = {**policy.weights, "plays": TRIED_PLAYS, "turns": BY_TRIAL}
    key = (*identity(game, scenario, seat, bases), *settings.items())
    return once(key, lambda: _tried_turns(policy, game, scenario, bases, settings))


def _tried_turns(
    policy: Lookahead,
    game: Game,
    scenario: Scenario,
    bases: tuple[Player, ...],
    settings: Mapping[str, float],
) -> float:
    """Return the best depth in a trial; NEVER if it is significantly worse than the base policy.

    Uses TRIED_PLAYS, so that the choice is the same for any budget.
    """
    seat = policy.own_seats[0]
    trials.looking(f"lookahead: {trials.GAMES} games with {policy.base.name} to choose the lookahead depth")
    guess = fitted(game, scenario, bases, seat)
    beside = trials.tried(game, scenario, bases, seat, policy.aim)
    by_turns = {}
    for turns in (SETTINGS["turns"], TO_THE_END):
        looks = as_player(game, replace(policy, weights={**settings, "turns": turns}))
        table = (*bases[:seat], looks, *bases[seat + 1 :])
        by_turns[turns] = trials.tried(game, scenario, table, seat, policy.aim)
    best = max(by_turns, key=lambda turns: by_turns[turns].mean)
    chosen = NEVER if by_turns[best].is_clearly_below(beside) else best
    trials.note(_trial_line(policy, by_turns, beside, guess, chosen))
    return chosen


def _trial_line(
    policy: Lookahead,
    by_turns: dict[float, trials.TrialGames],
    beside: trials.TrialGames,
    guess: WorthModel,
    chosen: float,
) -> str:
    does = {
        NEVER: f"so it plays as {policy.base.name} does (turns=0 makes it look ahead anyway)",
        TO_THE_END: "so it looks to the end of the game",
    }
    ahead = SETTINGS["turns"]
    then = does.get(chosen, f"so it looks {ahead:g} turns ahead")
    return (
        f"lookahead: in {trials.GAMES} trial games its mean result per game was "
        f"{by_turns[TO_THE_END].mean:.2f} looking to the end and {by_turns[ahead].mean:.2f} looking "
        f"{ahead:g} turns ahead, and {beside.mean:.2f} for {policy.base.name}; {then}. The error of "
        f"its estimate {ahead:g} turns ahead is {guess.error:.2f} ({guess.spread:.2f} without any "
        "information)"
    )


def looking_ahead(
    base: Policy,
    other: Policy | None,
    own_seats: tuple[int, ...],
    settings: dict[str, float],
    turns: float,
    trusted: dict[str, int],
) -> Lookahead:
    """Return `base` with lookahead.

    other: policy of the other seats; None if there are none. turns: default depth, which `settings` may
    override. trusted: kinds of action (name -> number) for which the base policy's choice is always taken.

    Raises PolicyError for settings or a base that are not allowed (`refuse_odd`).
    """
    refuse_odd(base, settings)
    behind = {f"{other.name} {name}": value for name, value in other.weights.items()} if other else {}
    peeks = "whose hidden cards it sees, which no player can"
    dealt = peeks if settings.get("peek") else "with redealt hidden cards"
    changes = "".join(f",{name}={value:.15g}" for name, value in settings.items())
    if trusted:
        changes += f",trust={'+'.join(trusted)}"
        settings = {**settings, "trust": float(sum(1 << kind for kind in trusted.values()))}
    played = base.name.replace(":", ",")  # as it is written here, `base=steady,at=12`
    return Lookahead(
        f"lookahead:base={played}{changes}",
        base.choose,
        f"{base.name} with lookahead: tries every action in futures {dealt}",
        {**SETTINGS, "turns": turns, **settings, **base.weights, **behind},
        base.roles,
        base.aim,
        base=base,
        other=other or base,
        own_seats=own_seats,
    )


def refuse_odd(base: Policy, settings: dict[str, float]) -> None:
    """Raise PolicyError for settings outside their limits.

    Also rejects a base whose weights have names of settings.
    """
    for name, value in settings.items():
        least, most = LIMITS[name]
        if not least <= value <= most:
            raise PolicyError(
                f"policy lookahead: {name}={value:g}: write a number from {least:g} to {most:,.0f}"
            )
    if shared := [name for name in SETTINGS if name in base.weights]:
        raise PolicyError(
            f"policy lookahead: its base {base.name} has a weight {shared[0]}, which is also a "
            "setting of lookahead; rename the weight"
        )


@cache
def compiled_lookahead(
    bases: tuple[Callable, Callable],
    aim: Callable | None,
    sizes: tuple[int, int, int],
    own_seats: tuple[int, ...],
    engine,
):
    """Return the compiled policy.

    bases: compiled functions of the base policy and of the policy of the other roles. sizes: number of
    weights of the base policy, number of all weights, and words of the base policy's memory.
    """
    from bartizan.simcore.compile.loops import (
        bound,
        called_policy,
        code_tag,
        compiled_rules,
        policy_signature,
    )

    behind, own = FIRST + sizes[0], sum(1 << seat for seat in own_seats)
    shown = len(engine.features.names) if engine.features else 1
    own_policy, other_policy = (called_policy(base, engine) for base in bases)
    base = {"own_policy": own_policy, "other_policy": other_policy}
    # the tag identifies the policies, because numba's cache on disk finds code by name
    tag = f"{code_tag(bases)}_{own}_{behind}_{sizes[1]}_{sizes[2]}"
    rules = compiled_rules(engine)
    looks = {name: rules[name] for name in ("write_features", "as_features")} | {"lateness": jit(lateness)}
    rules = rules | {
        "foreseen": jit(bind(model_value, tag, MODEL=sizes[1] + 1, NUMBERS=shown, **looks)),
        "turns_ahead": jit(bind(learned_turns, tag, LEARNED=sizes[1])),
        "answer": jit(bind(either, tag, OWN=own, BEHIND=behind, KEPT=sizes[2], **base)),
        "value_of": compiled_aim(aim, engine),
        "new_trials": maker(engine.state_dtype),
        "new_scratch": maker(scratch_dtype(engine, shown)),
    }
    trusting = bind(choose, str(engine.arguments), ARGUMENTS=engine.arguments)
    return compiled(bound(trusting, rules), policy_signature(engine))
