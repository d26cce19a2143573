"""Do 90 % intervals of people's skill hold it as often as they say? People made up: policies' scale, hidden noise and spread of skill."""

import numpy as np
import pytest
from scipy import special

from bartizan.analyses.statistics.latent_skill import TableResult, fit, interval_of

DIFFICULTY = np.array([0.0, 1.1, 2.2])  # as those of Castle Itter's levels
GROUPS = ((5, 10), (10, 30), (12, 60), (30, 30))  # testers, plays


def made_up(random: np.random.Generator, mu: float, tau: float, testers: int, plays: int, seats: int = 1):
    """Skills of made-up testers, and their plays at random levels; `seats` of them at a table."""
    skills, counts = mu + tau * random.standard_normal(testers), {}
    for play in range(plays):
        there = [play % testers] if seats == 1 else sorted(random.choice(testers, seats, replace=False))
        level = int(random.integers(len(DIFFICULTY)))
        won = random.random() < special.expit(skills[there].mean() - DIFFICULTY[level])
        count = counts.setdefault((tuple(map(str, there)), level), [0, 0])
        count[0], count[1] = count[0] + 1, count[1] + int(won)
    return skills, [TableResult(people, level, *count) for (people, level), count in counts.items()]


def covered(random: np.random.Generator, mu: float, tau: float, testers: int, plays: int, seats: int = 1) -> list[bool]:
    """Is it inside: the mean skill where they come from, that of these testers, their win rate at the hardest level."""
    skills, results = made_up(random, mu, tau, testers, plays, seats)
    found = fit(results, -DIFFICULTY)
    drawn = found.draw(1, 1000)
    seen = [skills[int(name)] for name in drawn.people]
    asked = [
        (found.interval("mu"), mu),
        (interval_of(drawn.skill()), np.mean(seen)),
        (interval_of(drawn.of_these(2)), special.expit(np.array(seen) - DIFFICULTY[2]).mean()),
    ]
    return [bool(place.low <= truth <= place.high) for place, truth in asked]


def measured(times: int, seed: int, seats: int = 1) -> np.ndarray:
    """[group, what is asked]: shares of `times` made-up groups, whose mean and spread are drawn anew each time."""
    random, shares = np.random.default_rng(seed), []
    for testers, plays in GROUPS:
        held = [
            covered(random, random.uniform(-2, 3), random.uniform(0.2, 1.4), testers, plays, seats)
            for _ in range(times)
        ]
        shares.append(np.mean(held, axis=0))
    return np.array(shares)


@pytest.mark.slow
def test_intervals_of_skill_hold_it():
    """240 groups: a true coverage of 82 % or of 97 % would be seen."""
    shares = measured(60, 1).mean(axis=0)
    assert (shares >= 0.85).all() and (shares <= 0.95).all(), shares


@pytest.mark.slow
@pytest.mark.parametrize("seats", [1, 2])
def test_intervals_of_skill_hold_it_in_every_size_of_group(seats):
    """4,000 groups of one seat, 1,200 of two; each size by itself."""
    shares = measured(1000 if seats == 1 else 300, 2, seats)
    assert (shares >= 0.85).all() and (shares <= 0.95).all(), shares


@pytest.mark.slow
def test_intervals_at_fixed_truths():
    """Not drawn from anything like the prior: each truth by itself, 10 testers and 30 plays, 400 groups."""
    random = np.random.default_rng(3)
    for mu in (-1.0, 0.5, 2.0):
        for tau in (0.3, 0.8, 1.4):
            share = np.mean([covered(random, mu, tau, 10, 30) for _ in range(400)], axis=0)
            assert (share >= 0.83).all() and (share <= 0.97).all(), (mu, tau, share)
