"""How many plays more? Assurance (O'Hagan, Stevens & Campbell 2005): the chance, over what is known so far,
that so many plays would decide whether people's win rate lies in a band.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np
from scipy import special

from bartizan.analyses.document import Document, optional
from bartizan.analyses.statistics.equivalence import binomial
from bartizan.analyses.statistics.latent_skill import Posterior

SURE = 0.95  # that it lies in the band, or outside: decided
FUTURES = 1000  # drawn
NODES = 20  # Gauss-Hermite, of a tester's skill
WANTED = (0.5, 0.8, 0.9)
MOST = 128  # testers that anybody is told to ask


@dataclass(frozen=True)
class Assurance:
    """So many new testers, each with so many plays."""

    testers: int
    plays: int
    decided: float  # share of futures in which it would be
    inside: float  # and the answer would be "in the band"


class PlaysNeeded(Document):
    """The fewest plays that decide with a wanted assurance; without numbers: more than MOST testers."""

    assurance: float
    testers: int | None = optional()
    plays: int | None = optional()
    decided: float | None = optional()
    inside: float | None = optional()


class LevelPlan(Document):
    """What is known of a level, and how many plays more would decide it."""

    level: str
    band: tuple[float, float]
    chance_inside: float  # that people like these have a win rate in the band, as known now
    decided: bool
    more: list[PlaysNeeded]


@dataclass(frozen=True, eq=False)
class Outlook:
    """What is known of new testers at one level: points of (mu, tau) with their weights."""

    mu: np.ndarray
    tau: np.ndarray
    weight: np.ndarray
    ease: float
    band: tuple[float, float]

    @property
    def chances(self) -> np.ndarray:
        """[point, node]: chance to win at the nodes of a tester's skill."""
        x, _ = np.polynomial.hermite.hermgauss(NODES)
        return special.expit(self.mu[:, None] + np.sqrt(2) * self.tau[:, None] * x + self.ease)

    @property
    def inside(self) -> np.ndarray:
        """[point]: is the win rate of such people in the band?"""
        rate = self.chances @ _weights()
        return (rate >= self.band[0]) & (rate <= self.band[1])

    @property
    def chance(self) -> float:
        return float(self.weight[self.inside].sum())

    def assurance(self, testers: int, each: int, seed: int = 1) -> Assurance:
        """Futures: a truth from the points, testers from it, plays from them; then Bayes."""
        random = np.random.default_rng([seed, testers, each])
        at = random.choice(len(self.weight), FUTURES, p=self.weight)
        skill = self.mu[at, None] + self.tau[at, None] * random.standard_normal((FUTURES, testers))
        wins = random.binomial(each, special.expit(skill + self.ease))
        counts = np.stack([(wins == k).sum(axis=1) for k in range(each + 1)], axis=1)
        posterior = special.softmax(
            counts @ self._log_likelihood(each).T + np.log(self.weight + 1e-300), axis=1
        )
        inside = posterior @ self.inside
        sure = (inside >= SURE) | (inside <= 1 - SURE)
        return Assurance(testers, testers * each, float(sure.mean()), float((inside >= SURE).mean()))

    def _log_likelihood(self, each: int) -> np.ndarray:
        """[point, wins] of one tester's plays."""
        chances = self.chances
        nodes = binomial(each, chances.ravel()).reshape(*chances.shape, each + 1)
        return np.log(np.einsum("gnk,n->gk", nodes, _weights()) + 1e-300)


def _weights() -> np.ndarray:
    return np.polynomial.hermite.hermgauss(NODES)[1] / np.sqrt(np.pi)


def outlook(posterior: Posterior, level: int, band: tuple[float, float]) -> Outlook:
    """Of new testers, none for the first time; without the scale's error, which is small beside theirs."""
    points = posterior.points
    pairs, where = np.unique(np.column_stack([points.mu, points.tau]), axis=0, return_inverse=True)
    weight = np.bincount(where.ravel(), weights=posterior.weight)
    return Outlook(
        pairs[:, 0], pairs[:, 1], weight / weight.sum(), float(posterior.eases[:, level].mean()), band
    )


def more_plays(
    posterior: Posterior, level: str, index: int, band: tuple[float, float], each: int, seed: int = 1
) -> LevelPlan:
    """index: of the level on the scale; each: plays of one new tester."""
    view = outlook(posterior, index, band)
    least = {share: _least(view, share, each, seed) for share in WANTED}
    more = [
        PlaysNeeded(assurance=share, **(asdict(needs) if needs else {})) for share, needs in least.items()
    ]
    decided = not 1 - SURE < view.chance < SURE
    return LevelPlan(level=level, band=band, chance_inside=view.chance, decided=decided, more=more)


def _least(view: Outlook, share: float, each: int, seed: int) -> Assurance | None:
    """The least number of testers that reaches it: doubled, then halved between."""
    if (last := next((one for one in _doubled(view, each, seed) if one.decided >= share), None)) is None:
        return None
    low, high = last.testers // 2, last
    while high.testers - low > 1:
        middle = view.assurance((low + high.testers) // 2, each, seed)
        low, high = (low, middle) if middle.decided >= share else (middle.testers, high)
    return high


def _doubled(view: Outlook, each: int, seed: int) -> Iterator[Assurance]:
    testers = 1
    while testers <= MOST:
        yield view.assurance(testers, each, seed)
        testers *= 2
