"""Analysis of a sweep: the results and names of every cell. All report formats are written from a `Study`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from bartizan.analyses.records import comparison, outcomes, quantities, seating
from bartizan.analyses.records.claims import Judged, judge
from bartizan.analyses.records.comparison import SinceThen, since_named
from bartizan.analyses.records.outcomes import FirstTime
from bartizan.analyses.records.over import ColumnRates, rates_over
from bartizan.analyses.records.quantities import best_first
from bartizan.analyses.records.seating import LineUp, line_ups
from bartizan.analyses.records.tally import Tally, reporting_of, tally
from bartizan.analyses.statistics.intervals import Interval, Mean, Method, confidence_sequence, proportion
from bartizan.reports.text.cell_names import cell_names, changes_in, grouped, named_assumptions, names_of
from bartizan.reports.text.changes import title, varied
from bartizan.simcore.errors import EngineError
from bartizan.simcore.scenario.changes import (
    common,
    influence_of,
    is_about,
    read_sensitivity,
    shipped_sensitivities,
    together,
)
from bartizan.simcore.sources import rules_version
from bartizan.simcore.sweep.store import CARDS, SENSITIVITY, Cell, Sweep, read_added, read_kept

PLAYS_BY_PEOPLE = "playtest-skill"  # kind of a saved result
HOPELESS = 0.005  # players with a lower win rate in all settings share one line


@dataclass(frozen=True)
class Finding:
    """The results of one cell.

    The name of a cell consists of its level, its player (the policies) and its variant (other differences).
    """

    cell: Cell
    level: str
    player: str
    variant: str  # "" when the cell is the only one of its level and player
    rests_on: tuple[str, ...]  # short names of the assumptions that every result must mention
    tally: Tally
    wins: outcomes.WinRate
    scores: quantities.Scores
    losses: outcomes.Losses
    length: quantities.Length
    means: dict[str, Mean]
    end_reasons: dict[str, int]
    outcomes: outcomes.Outcomes
    firsts: tuple[FirstTime, ...]
    groups: tuple[quantities.GroupMeans, ...]

    @property
    def games(self) -> int:
        return self.tally.games

    @property
    def banner(self) -> dict[str, Any] | None:
        """The caveat of a reconstruction (see `simcore.scenario.changes`); None for other games."""
        return getattr(self.cell, "banner", None)

    @property
    def changes(self) -> list[dict[str, Any]]:
        """Differences from the shipped scenario (see `simcore.scenario.changes`)."""
        return changes_in(self.cell)

    @property
    def says_little(self) -> tuple[bool, bool]:
        """Whether all games are identical, and whether all games have the same result.

        Pages describe such cells last.
        """
        most = max(part.games for part in self.outcomes.parts)
        return self.tally.is_one_game, most == self.games

    @property
    def who(self) -> str:
        """The name of the cell within its level: player and variant."""
        return f"{self.player}, {self.variant}" if self.variant else self.player

    @property
    def name(self) -> str:
        return f"{self.level}, {self.who}"


@dataclass(frozen=True)
class Study:
    manifest: dict[str, Any]
    findings: tuple[Finding, ...]
    unplayed: tuple[str, ...]  # ids of cells without games
    card_values: tuple[dict[str, Any], ...] = ()  # JSON of `bartizan cards --value`
    sensitivity: dict[str, Any] = field(default_factory=dict)  # JSON of `bartizan sensitivity`
    card_usage: tuple[dict[str, Any], ...] = ()  # JSON of `bartizan cards --usage`
    # JSON of `bartizan cards --without`
    card_without: tuple[dict[str, Any], ...] = field(default=(), kw_only=True)
    claims: tuple[Judged, ...] = ()  # verdicts on the claims of the plan
    names: dict[str, str] = field(default_factory=dict)  # {cell id: name}, including cells without games
    kept: tuple[dict[str, Any], ...] = ()  # saved results of other commands, see simcore.sweep.store
    since: SinceThen | None = None  # changes since the earlier sweep in the manifest, if any
    over: tuple[ColumnRates, ...] = ()  # if the manifest names columns

    @property
    def named(self) -> str:
        """The name or path of the game in commands."""
        return str(self.manifest.get("game_as_named", self.manifest["game"]))

    @property
    def is_imported(self) -> bool:
        """Whether another program simulated the games, so that no command can repeat them."""
        return "imported" in self.manifest

    @property
    def is_about_cards(self) -> bool:
        return bool(self.card_values or self.card_usage or self.card_without)

    @property
    def plays_by_people(self) -> list[dict[str, Any]]:
        """The saved results of `playtest skill`."""
        return [kept["answer"] for kept in self.kept if kept["kind"] == PLAYS_BY_PEOPLE]

    @property
    def scenarios(self) -> list[str]:
        """Distinct scenario hashes of the cells."""
        return list(dict.fromkeys(finding.cell.scenario_hash for finding in self.findings))

    @property
    def level(self) -> float:
        """Nominal coverage of every interval."""
        return float(self.manifest.get("level", 0.95))

    @cached_property
    def banner(self) -> dict[str, Any] | None:
        """The caveat of a reconstruction (see `simcore.scenario.changes`); None for other games.

        It includes the effect of the most influential assumption, if known. The effect comes from the
        `sensitivity` result in the folder if that is about these games, and otherwise from the manifest.
        """
        found = together([finding.banner for finding in self.findings if finding.banner])
        if found and self.knows_influence:
            return {**found, "influence": influence_of(self.sensitivity)}
        return found

    @cached_property
    def changes(self) -> list[dict[str, Any]]:
        """Differences from the shipped scenario that all cells have."""
        return common([finding.changes for finding in self.findings])

    @cached_property
    def varied(self) -> list[str]:
        """The differences that only some cells have, in words."""
        return varied(
            [finding.changes for finding in self.findings],
            self.changes,
            [path for finding in self.findings for path in finding.cell.set],
        )

    @property
    def title(self) -> str:
        """The title of the game with the changes that all cells have."""
        return title(self.manifest["title"], self.changes)

    @property
    def knows_influence(self) -> bool:
        return self.is_about_its_games(self.sensitivity)

    @cached_property
    def known_sensitivities(self) -> list[dict[str, Any]]:
        """The `sensitivity` results for the scenarios of these cells, in the order of the cells.

        A result in the folder replaces the results that are shipped with the game.
        """
        documents = [self.sensitivity] if self.knows_influence else shipped_sensitivities(self.named)
        hashes = self.scenarios
        return sorted(
            filter(self.is_about_its_games, documents),
            key=lambda document: hashes.index(document["scenario_hash"]),
        )

    def is_about_its_games(self, document: dict[str, Any]) -> bool:
        """Return whether a `sensitivity` result has the rules of these games and a scenario of the cells."""
        return is_about(document, self.manifest["game"], rules_version(self.manifest), set(self.scenarios))

    def edited_players(self, document: Mapping[str, Any]) -> list[str]:
        """Return a sentence for each policy of a result whose code or weights differ from those in the games.

        Policies are matched by name. Such a policy was edited between the result and the games.
        """
        players = [player for finding in self.findings for player in finding.cell.policies]
        played = [(one["name"], one.get("source_hash", ""), one["weights"]) for one in players]
        lines = []
        for name, source, weights in _players_of(document):
            alike = [player for player in played if player[0] == name]
            if alike and source not in (player[1] or source for player in alike):
                lines.append(f"The code of {name} differs from its code in the games above.")
            elif alike and weights not in (player[2] for player in alike):
                lines.append(f"The weights of {name} differ from its weights in the games above.")
        return list(dict.fromkeys(lines))

    def named_level(self, cell: Cell) -> str | None:
        """Return the difficulty that a command about a cell must name.

        Returns None if there is only one level and the sweep's command names none.
        """
        is_default = len(self.levels) == 1 and "difficulty" not in self.manifest["command"]
        return None if is_default else cell.difficulty

    @cached_property
    def levels(self) -> dict[str, list[Finding]]:
        return grouped(self.findings, lambda finding: finding.level)

    @cached_property
    def players(self) -> list[str]:
        return list(dict.fromkeys(finding.player for finding in self.findings))

    @cached_property
    def variants(self) -> list[str]:
        return list(dict.fromkeys(finding.variant for finding in self.findings))

    @property
    def is_contest(self) -> bool:
        """Whether the game has two or more sides, so that the question is who wins."""
        return all(len(finding.wins.seats) > 1 for finding in self.findings)

    @property
    def has_one_result(self) -> bool:
        """Whether a game with one side always ends with the same result, so that no win rate is shown."""
        return self.is_about_score or self.is_about_length

    @cached_property
    def is_about_score(self) -> bool:
        """Whether a single side wins every game, so that only the score differs."""
        scores = [finding.scores.values for finding in self.findings]
        return self._results == {1.0} and _differ(scores) and not self.tiers

    @cached_property
    def is_about_length(self) -> bool:
        """Whether all games have the same result and differ only in length."""
        lengths = [finding.length.ended.values for finding in self.findings]
        return self._results in ({0.0}, {1.0}) and _differ(lengths) and not self.is_about_score

    @property
    def _results(self) -> set[float]:
        """The distinct win rates of the cells; empty for a game with several sides."""
        return set() if self.is_contest else {finding.wins.first.win.estimate for finding in self.findings}

    @property
    def is_one_game(self) -> bool:
        """Whether all games of each setting are identical."""
        return bool(self.findings) and all(finding.tally.is_one_game for finding in self.findings)

    @property
    def is_alike(self) -> bool:
        """Whether this is a free-for-all, in which all seats have the same role."""
        return self.is_contest and bool(self.manifest.get("alike"))

    @cached_property
    def line_ups(self) -> list[LineUp]:
        return line_ups(finding.cell for finding in self.findings)

    @cached_property
    def families(self) -> int:
        """The number of families of comparisons on this page, which share one error rate.

        See `analyses.statistics.testing`. Claims of a plan and saved results do not count.
        """
        since = self.manifest.get("since") is not None
        if not self.is_alike:  # leader or difficulty; trend along a setting
            return 1 + since + (self.is_contest and len(self.findings) > 1)
        players = any(line_up.tells_players for line_up in self.line_ups)
        seats = players or any(line_up.is_mirror for line_up in self.line_ups)
        settings = next(comparison.pairs(finding.cell for finding in self.findings), None) is not None
        return max(since + players + seats + settings, 1)

    @cached_property
    def seats(self) -> dict[str, seating.SeatAdvantage]:
        """The win shares of the seats, by cell id."""
        return {
            finding.cell.id: seating.seat_advantage_of(
                finding.tally,
                finding.cell,
                finding.tally.method(self.method),
                len(self.findings) * self.families,
            )
            for finding in self.findings
        }

    @cached_property
    def skills(self) -> list[seating.Skill]:
        """The skill comparison of each line-up with several policies that was simulated in all rotations."""
        families = len(self.line_ups) * self.families
        return [result for line_up in self.line_ups if (result := seating.skill_of(line_up, families))]

    @cached_property
    def seated_once(self) -> tuple[Finding, ...]:
        """All cells, but only the first rotation of each line-up."""
        skills = self.skills if self.is_alike else []
        turned = {cell.id for result in skills for cell in result.line_up.cells[1:]}
        return tuple(finding for finding in self.findings if finding.cell.id not in turned)

    @cached_property
    def effects(self) -> list[comparison.Comparison]:
        """The effects of each setting, compared with its base, on length, winner and lead changes."""
        changes = {reporting_of(finding.cell).ranking.lead_changes for finding in self.findings} - {""}
        return comparison.of_sweep(
            (finding.cell for finding in self.findings), (comparison.LENGTH, *sorted(changes)), self.families
        )

    @cached_property
    def eliminations(self) -> dict[str, outcomes.Elimination]:
        """The eliminations in each cell that records them, by cell id."""
        cells = (finding.cell for finding in self.findings)
        ranked = {cell.id: outcomes.elimination_of(cell.scan(), cell, self.method) for cell in cells}
        return {name: value for name, value in ranked.items() if value}

    @cached_property
    def endings(self) -> dict[str, tuple[outcomes.Ending, ...]]:
        """The endings of the games, by cell id."""
        return {
            finding.cell.id: outcomes.endings_of(finding.tally, finding.cell) for finding in self.findings
        }

    @property
    def games(self) -> int:
        return sum(finding.games for finding in self.findings)

    @property
    def tiers(self) -> dict[str, int]:
        return next((best_first(finding.cell.tiers) for finding in self.findings if finding.cell.tiers), {})

    @property
    def tier_levels(self) -> dict[str, str]:
        """The level of victory of each tier. Excludes tiers that have no level in some cell."""
        tiers = [tier for finding in self.findings for tier in finding.scores.tiers]
        without = {tier.name for tier in tiers if not tier.victory}
        return {tier.name: tier.victory for tier in tiers if tier.name not in without}

    @property
    def watched(self) -> bool:
        """Whether a target precision determined the number of games.

        If so, only confidence sequences are valid.
        """
        return self.manifest.get("precision") is not None

    @property
    def method(self) -> Callable[..., Interval]:
        """The interval method for shares of games."""
        return confidence_sequence if self.watched else proportion


def _players_of(document: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, float]]]:
    """Yield (name, source hash, weights) of each policy in the JSON of a `PlayedDocument` or a ladder."""
    keys = ("policies", "policy_sources", "policy_weights")
    yield from zip(*(document.get(key) or () for key in keys), strict=False)
    if document.get("schema") == "bartizan.ladder/1":
        yield from ((row["policy"], row["source_hash"], row["weights"]) for row in document["players"])


def study(sweep: Sweep) -> Study:
    """Return the analysis of a sweep. One streaming pass counts the games of each cell.

    Cells without games have no results, and are listed by id. Raises EngineError if a `sensitivity` result in
    the folder is damaged or about another game.
    """
    manifest = sweep.manifest
    method = proportion if manifest.get("precision") is None else confidence_sequence
    names = names_of(sweep.cells, bool(manifest.get("alike")))
    findings, unplayed = [], []
    for cell in sweep.cells:
        games = tally(cell.scan(), cell)
        if games.games:
            findings.append(finding_of(cell, games, names[cell.id], games.method(method)))
        else:
            unplayed.append(cell.id)
    cards = read_added(sweep, CARDS)
    values, usage, without = (tuple(cards.get(key, [])) for key in ("values", "usage", "without"))
    called = cell_names(sweep.cells, bool(manifest.get("alike")))
    result = Study(
        manifest,
        tuple(findings),
        tuple(unplayed),
        values,
        _sensitivity(sweep),
        usage,
        tuple(judge(sweep)),
        called,
        read_kept(sweep.folder, manifest["game"]),
    )
    over = tuple(rates_over(manifest.get("over", ()), sweep))
    return replace(result, since=since_named(sweep, result.families), card_without=without, over=over)


def _sensitivity(sweep: Sweep) -> dict[str, Any]:
    path = sweep.folder / SENSITIVITY
    document = read_sensitivity(path)
    if document and document["game"] != sweep.manifest["game"]:
        raise EngineError(
            f"{path}: contains another game ({document['game']}); delete it or choose another folder"
        )
    return document


def finding_of(cell: Cell, games: Tally, names: tuple[str, str, str], method: Method) -> Finding:
    return Finding(
        cell,
        *names,
        named_assumptions(cell),
        games,
        outcomes.win_rate_of(games, cell, method),
        quantities.scores_of(games, cell),
        outcomes.losses_of(games, cell),
        quantities.length_of(games, cell),
        quantities.means_of(games),
        quantities.end_reasons(games, cell),
        outcomes.outcomes_of(games, cell, method),
        outcomes.first_times_of(games, cell, method),
        quantities.group_means_of(games, cell, method),
    )


def _differ(values: Sequence[Sequence[int]]) -> bool:
    """Return whether every cell has values and at least one cell has several distinct ones.

    values: distinct values by cell.
    """
    return all(values) and any(len(each) > 1 for each in values)


def leading(findings: Sequence[Finding]) -> Finding:
    """Return the cell that a page describes first: the informative cell nearest to the published game.

    The choice does not depend on the size of a result, because selecting the most extreme cell would bias the
    result.
    """
    return min(findings, key=lambda finding: (*finding.says_little, len(finding.changes)))


def main_findings(findings: list[Finding]) -> list[Finding]:
    """Return, for each player, the cell nearest to the published game. All other cells are variants."""
    players = dict.fromkeys(finding.player for finding in findings)
    own = ([finding for finding in findings if finding.player == player] for player in players)
    return [min(cells, key=lambda finding: len(finding.changes)) for cells in own]


def win_rate(finding: Finding) -> float:
    return finding.wins.first.win.estimate


def strongest(findings: list[Finding]) -> Finding:
    """Return the main cell with the greatest win rate.

    Cells of identical games are chosen only if there are no others.
    """
    return max(main_findings(findings), key=lambda each: (not each.tally.is_one_game, win_rate(each)))


def hopeless(study: Study) -> list[str]:
    """Return the players who almost never win in any setting, except the strongest of a level."""
    best = {strongest(findings).player for findings in study.levels.values()}
    most = {
        name: max(win_rate(each) for each in study.findings if each.player == name) for name in study.players
    }
    return [name for name in study.players if name not in best and most[name] < HOPELESS]
