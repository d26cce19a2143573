"""When and how games are lost, as one document and as text: the sentence first, then turn by turn, then games
worth looking at.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bartizan.analyses.experiments.losses import METHOD, Chosen, Forensics
from bartizan.analyses.records.losses import Losses
from bartizan.analyses.statistics.intervals import Interval, proportion
from bartizan.reports.text import played, sentences, words
from bartizan.simcore.play.match import Match

MOST_TURNS = 30  # lines of the table; longer games are shown by steps of several turns
MOST_CAUSES = 5
FEW_LEFT = 100  # turns that fewer than one game in so many reaches are left out
KINDS = {"typical": "a typical loss", "cruel": "the cruellest loss", "comeback": "the best comeback"}


def document(match: Match, found: Forensics, trace: Sequence[str]) -> dict:
    """Plain data. trace: the words of a command that shows a game of this cell, but for `--game`.

    Nothing in it depends on time or threads.
    """
    start, rate = found.start.interval(), found.turns[0].chance if found.turns else None
    return {
        "schema": "bartizan.losses/1",
        **played.head(match, match.scenario),
        "seat": match.game.roles[found.seat],
        "sentence": sentence(match, found),
        "games": found.games,
        "lost": found.losses.lost,
        "win_rate": rate and rate.to_dict(),
        "pilot": {
            "games": len(found.stories),
            "lost": len(found.lost),
            "won": found.won,
            "rollouts": found.rollouts,
            "win_rate_by_rollouts": start and start.to_dict(),
            "piles": "shuffled anew for each rollout"
            if match.engine.shuffle_unseen
            else "as they lie in the game",
        },
        "hopeless": {
            "never": found.never_hopeless and found.never_hopeless.to_dict(),
            "median_turns_in_vain": found.vain_turns,
        },
        "decisive": {"median_turn": found.decisive_turn, "mean_drop": found.mean_drop},
        "causes": _causes(found.losses),
        "turns": list(_turns(found)),
        "chosen": [_chosen(chosen, trace) for chosen in found.chosen],
        **played.tail(match.scenario),
        "method": METHOD,
    }


def _causes(found: Losses) -> list[dict]:
    return [
        {"cause": cause.name, "games": cause.games, "share": cause.share.to_dict()} for cause in found.causes
    ]


def _turns(found: Forensics) -> Iterator[dict]:
    for hazard, start in zip(found.losses.turns, found.turns, strict=True):
        yield {
            "turn": start.turn,
            "alive": start.alive,
            "lost": hazard.lost,
            "hazard": hazard.hazard.to_dict(),
            "causes": hazard.causes,
            "win_if_alive": start.chance.to_dict(),
            "hopeless_by": start.hopeless and start.hopeless.to_dict(),
            "decisive": start.decisive,
        }


def _chosen(chosen: Chosen, trace: Sequence[str]) -> dict[str, Any]:
    story = chosen.story
    return {
        "kind": chosen.kind,
        "game": story.game,
        "winner": story.winner,
        "last_turn": story.last_turn,
        "cause": story.cause,
        "turn": chosen.moment.turn,
        "chance": chosen.moment.interval.to_dict(),
        "chance_fresh": chosen.fresh.interval.to_dict(),
        "next_turn_fresh": chosen.fresh_next
        and {"turn": chosen.fresh_next.turn, **chosen.fresh_next.interval.to_dict()},
        "chances": [{"turn": moment.turn, "chance": moment.chance} for moment in story.moments],
        "trace": shlex.join([*trace, "--game", str(story.game)]),
    }


# ---------------------------------------------------------------- text


def sentence(match: Match, found: Forensics) -> str:
    """When it is over before it is over, when it is decided, on what it rests."""
    whose = f", the {words.plain(match.game.roles[found.seat])} seat" if len(match.players) > 1 else ""
    sure = (
        f"{words.count(len(found.stories))} games, {words.count(found.rollouts)} rollouts a turn, seed "
        f"{match.seed}; {sentences.rests_on(match.scenario.assumed)}"
    )
    hopeful, drop = found.never_hopeless, found.mean_drop
    if hopeful is None or drop is None:
        return f"{played.setting(match)}{whose}: none of the games looked at is lost ({sure})."
    hope = (
        f"in {words.share_with_limits(hopeful)} of the lost games there is hope (a chance of "
        f"5{words.NBSP}% or more) when the last turn begins"
    )
    vain = (
        [
            f"half of them go on for {found.vain_turns:g} turn{'' if found.vain_turns == 1 else 's'} or more "
            "without hope"
        ]
        if found.vain_turns
        else []
    )
    fall = (
        f"the chance to win falls most in turn {found.decisive_turn} (median), by "
        f"{drop * 100:.0f} percentage points on average"
    )
    return (
        f"{played.setting(match)}{whose}: {'; '.join([hope, *vain, fall])} ({len(found.lost)} lost of "
        f"{sure})."
    )


def lines(d: Mapping) -> Iterator[str]:
    """A document for a reader at a terminal."""
    yield d["sentence"]
    yield ""
    yield f"{d['games']:,} games, {d['lost']:,} lost" + (
        f", by {_listed(d['causes'])}" if d["causes"] else ""
    )
    yield ""
    if not d["lost"]:
        yield "No game is lost, so that no turn decides one; bartizan run says how long the games are."
        return
    yield from _table(d)
    if d["chosen"]:
        yield ""
    for chosen in d["chosen"]:
        yield from told(chosen)
    if d["chosen"]:
        pages = ", ".join(d.get("pages", ()))
        yield (
            f"Pages to step through: {pages}."
            if pages
            else "With --html game.html each is a page to step through; --pages DIR writes all of them."
        )
    yield ""
    yield from checks(d)
    yield f"Method: {d['method']}."


def _listed(causes: Sequence[Mapping]) -> str:
    rest = len(causes) - MOST_CAUSES
    named = [f"{row['cause']} {words.percent(row['share']['estimate'], 0)}" for row in causes[:MOST_CAUSES]]
    return ", ".join([*named, *([f"{rest} more"] if rest > 0 else [])])


def _table(d: Mapping) -> Iterator[str]:
    """A line for each turn, or for every few where there are many; the last games are left out."""
    yield (
        f"{'turn':>9} {'alive':>8} {'lost in it':>10} {'hazard':>22} {'wins if alive':>22} "
        f"{'hopeless by now':>16} {'decisive in':>11}  commonest cause"
    )
    for turns in spans(d):
        yield _row(turns, d["pilot"]["lost"], bool(d["causes"]))
    if rest := len(d["turns"]) - len(reached(d)):
        yield f"  and {rest} later turns, which fewer than 1 game in {FEW_LEFT} reaches (--json has all)"


def reached(d: Mapping) -> list[Mapping]:
    """The turns that enough games reach."""
    return [turn for turn in d["turns"] if turn["alive"] * FEW_LEFT >= d["games"]]


def spans(d: Mapping) -> list[Sequence[Mapping]]:
    """The turns of each line: one, or a few where there are many."""
    shown = reached(d)
    stride = -(-len(shown) // MOST_TURNS)
    return [shown[index : index + stride] for index in range(0, len(shown), stride or 1)]


def span_name(turns: Sequence[Mapping]) -> str:
    """`7`, `7–9`"""
    first, last = turns[0]["turn"], turns[-1]["turn"]
    return str(first) if first == last else f"{first}–{last}"


def commonest(turns: Sequence[Mapping]) -> str:
    """The cause that most games of these turns are lost by; "" without one."""
    causes: dict[str, int] = {}
    for turn in turns:
        for cause, n in turn["causes"].items():
            causes[cause] = causes.get(cause, 0) + n
    return max(causes, key=causes.__getitem__) if causes else ""


def _row(turns: Sequence[Mapping], lost: int, has_causes: bool) -> str:
    """Turns taken together: chances are those at the start of the first, the hazard is that of being lost in
    any of them.
    """
    first = turns[0]
    gone, decisive = (sum(turn[key] for turn in turns) for key in ("lost", "decisive"))
    hopeless = words.percent(first["hopeless_by"]["estimate"], 0) if lost else ""
    named = span_name(turns)
    hazard = words.share_with_limits(proportion(gone, first["alive"]))
    numbers = f"{named:>9} {first['alive']:>8,} {gone:>10,} {hazard:>22} {_share(first['win_if_alive']):>22}"
    cause = commonest(turns) if has_causes else ""
    return (
        f"{numbers} {hopeless:>16} {words.percent(decisive / lost, 0) if lost else '':>11}  {cause}".rstrip()
    )


def _share(interval: Mapping) -> str:
    return words.share_with_limits(Interval(**interval))


def told(chosen: Mapping) -> Iterator[str]:
    """What happened, both numbers, and how to see it."""
    won = chosen["kind"] == "comeback"
    end = f"{'won' if won else 'lost'} in turn {chosen['last_turn']}" + (
        f" ({chosen['cause']})" if chosen["cause"] and not won else ""
    )
    numbers = (
        f"{_percent(chosen['chance_fresh'])} on fresh rollouts ({_percent(chosen['chance'], False)} on those "
        "that chose it)"
    )
    looked = f"at the start of turn {chosen['turn']} the chance to win was {numbers}"
    after = chosen["next_turn_fresh"]
    then = f", a turn later {_percent(after)}" if after else ", and the game ended in that turn"
    yield f"{words.title(KINDS[chosen['kind']])}: game {chosen['game']}, {end}; {looked}{then}."
    yield f"    {chosen['trace']}"


def _percent(interval: Mapping, limits: bool = True) -> str:
    text = words.percent(interval["estimate"], 0)
    return (
        f"{text} ({words.percent(interval['low'], 0)} to {words.percent(interval['high'], 0)})"
        if limits
        else text
    )


def checks(d: Mapping) -> Iterator[str]:
    pilot = d["pilot"]
    if by := pilot["win_rate_by_rollouts"]:
        yield (
            f"Rollouts from the first turn win {_share(by)} of the time, the games themselves "
            f"{_share(d['win_rate'])}. Piles in a rollout: {pilot['piles']}."
        )
