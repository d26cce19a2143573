"""A game that questions are asked about: one method a question, with the options of the command."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bartizan.api.people_skill import PeopleQuestions
from bartizan.api.reading import (
    Names,
    Sets,
    answers,
    claim_of,
    command_line,
    games_for,
    half_width,
    listed,
    share_of,
    texts,
    varied,
)
from bartizan.api.skill import SkillQuestions
from bartizan.simcore.errors import UsageError

if TYPE_CHECKING:
    from bartizan.reports.answers.answer import Answer

UNSAID = ("out", "jobs", "shards", "cluster", "top")  # what no result depends on


class Playtest(SkillQuestions, PeopleQuestions):
    """A game to be asked about.

    Options that all questions share: scenario, a name or a .toml file; difficulty, a level; policy, who plays
    (`"garrison"`, `["allied=greedy", "german=random"]`); players, how many; set, values by path; games, how
    many are played; seed, the luck they are played on; jobs, threads, all cores unless given.
    """

    def describe(
        self,
        *,
        scenario: str | None = None,
        difficulty: str | None = None,
        set: Sets = None,
        knobs: bool = False,
        rulings: bool = False,
        board: Path | None = None,
    ) -> "Answer":
        """The scenario: levels, rulings, numbers and how sure they are. knobs, rulings: what the text lists;
        board: a file to draw the game's board into.
        """
        catalogue = answers("catalogue", self.name)
        request = self.request(scenario, difficulty, set=set)
        if board is not None:
            assert request.loaded
            return catalogue.board(request.game.name, Path(board))
        return catalogue.describe(request, knobs, rulings)

    def policies(self) -> "Answer":
        """Who can play it."""
        return answers("catalogue", self.name).policies(self.name)

    def check(self, *, policy: Names = None) -> Iterator[str]:
        """Does it keep the engine contract, and do its policies? policy: those to be asked, or all."""
        return answers("check", self.name).check(self.name, listed(policy))

    def run(
        self,
        *,
        scenario: str | None = None,
        difficulty: str | None = None,
        policy: Names = None,
        games: int | None = None,
        seed: int = 1,
        set: Sets = None,
        jobs: int | None = None,
        players: int | None = None,
        precision: str | float | None = None,
        out: str | Path | None = None,
        luck_adjusted: bool = False,
        samples: int = 32,
        command: str | None = None,
    ) -> "Answer":
        """Play one cell. games: 10,000 unless given; precision: play until the win rate is known to this
        half-width, `"0.5pp"`, at most `games`; luck_adjusted: also the win rate without the luck, from
        `samples` outcomes of each chance event.
        """
        asked = command_line("run", self.name, locals(), ("out", "jobs"))
        run = answers("run", self.name)
        request = self.request(scenario, difficulty, policy, players, set)
        width = None if precision is None else half_width(precision)
        effort = self.effort(games_for(games, width), seed, jobs)
        folder = Path(out) if out else None
        taken = samples if luck_adjusted else None
        return run.ask(request, effort, width, taken, folder, asked)

    def sweep(
        self,
        *,
        out: str | Path | None = None,
        scenario: str | None = None,
        difficulty: Names = None,
        policy: Names = None,
        games: int | None = None,
        seed: int | None = None,
        set: Mapping[str, Any] | None = None,
        jobs: int | None = None,
        players: int | None = None,
        precision: str | float | None = None,
        rotate: bool = False,
        dry_run: bool = False,
        shards: str | None = None,
        cluster: str | None = None,
        command: str | None = None,
    ) -> "Answer":
        """Play every combination of levels, policies and values into the folder `out`, and judge what a plan
        claims. The game may be a PLAN.toml that says everything.

        set: path -> value, or a list of values; rotate: each line-up in every rotation of the seats; dry_run:
        say what would be played, and how long it would take; shards: play one part, `"3/16"` the third of 16,
        which `merge` puts together with the others; cluster: the address of a Dask scheduler whose workers
        play, or `"local:2"` (docs/cluster.md).
        """
        asked = command_line("sweep", self.name, {**locals(), "set": varied(set)}, UNSAID)
        sweeps = answers("sweep", self.name)
        width = None if precision is None else half_width(precision)
        effort = self.effort(games_for(games, width), 1 if seed is None else seed, jobs)
        if self.name.endswith(".toml"):
            plan = sweeps.plan_of_file(self.name, players, games, seed, asked)
        else:
            request = self.request(scenario, None, policy, players)
            levels, values = listed(difficulty), varied(set)
            plan = sweeps.plan_of_request(request, levels, values, effort, rotate, width, asked)
        from bartizan.simcore.game import load_game

        if dry_run and (shards or cluster):
            raise UsageError(
                "sweep --dry-run: speaks of the whole sweep on this machine; leave out --shards and --cluster"
            )
        if dry_run:
            return sweeps.dry_run(plan, load_game(plan.game), effort, self.name)
        if out is None:
            raise UsageError(
                "sweep: where to? give a folder with -o DIR (or --dry-run to see what would be played)"
            )
        from bartizan.api.cluster import Cluster

        elsewhere = None if cluster is None else Cluster(cluster, plan.game, plan.scenario)
        if shards is not None:
            parts = answers("parts", self.name)
            return parts.ask(plan, load_game(plan.game), effort, Path(out), self.name, shards, elsewhere)
        return sweeps.ask(plan, load_game(plan.game), effort, Path(out), self.name, elsewhere)

    def trace(
        self,
        *,
        seed: int = 1,
        game: int = 0,
        scenario: str | None = None,
        difficulty: str | None = None,
        policy: Names = None,
        set: Sets = None,
        players: int | None = None,
        html: str | Path | None = None,
    ) -> "Answer":
        """One game as a readable log: the game of this number that `run` and `sweep` play under the seed.

        html: write a page to step through it.
        """
        trace = answers("trace", self.name)
        return trace.ask(self.request(scenario, difficulty, policy, players, set), seed, game, html)

    def compare(
        self,
        *,
        change: Sets = None,
        scenario: str | None = None,
        difficulty: str | None = None,
        policy: Names = None,
        players: int | None = None,
        set: Sets = None,
        games: int = 20_000,
        seed: int = 1,
        jobs: int | None = None,
        steps: bool = False,
        test: str | None = None,
        margin: str | float | None = None,
        alpha: float | None = None,
        beta: float | None = None,
        luck_adjusted: bool = False,
        out: str | Path | None = None,
        command: str | None = None,
    ) -> "Answer":
        """A baseline against one change of it, on common luck. change: path -> value, also `difficulty`,
        `scenario` and `policy`; all together are one change.

        steps: each change that the scenario lists as a step by itself, then all together; test: play pairs
        until this is answered, `"B - A > 2pp"`, with its margin and chances of a wrong yes (alpha) and a
        wrong no (beta); luck_adjusted: also the difference without the luck of either side.
        """
        asked = command_line("compare", self.name, locals(), ("out", "jobs"))
        compare = answers("compare", self.name)
        request = self.request(scenario, difficulty, policy, players, set)
        effort = self.effort(games, seed, jobs)
        claim = claim_of(test, margin, alpha, beta, bool(out))
        if steps:
            if change or claim or luck_adjusted:
                raise UsageError(
                    "compare --steps: the scenario says what is changed; leave out --change, --test and "
                    "--luck-adjusted"
                )
            return compare.ask_steps(request, effort, asked, Path(out) if out else None)
        if not change:
            raise UsageError(
                "compare: what is changed? say --change PATH=VALUE (bartizan describe GAME --knobs lists the "
                "paths; also scenario=, difficulty=, policy=)"
            )
        changes = dict(change)
        who, other = listed(changes.pop("policy", None)), changes.pop("scenario", None)
        sides = compare.sides_of(request, effort, texts(changes), other, who, asked)
        if luck_adjusted and claim:
            raise UsageError("compare --test: stops by the results as they come; leave out --luck-adjusted")
        if claim:
            return compare.ask_until(sides, claim, effort)
        return compare.ask(sides, effort, Path(out) if out else None, luck_adjusted)

    def sensitivity(
        self,
        *,
        assumed: bool = False,
        path: Names = None,
        range: str | float = "25%",
        decks: int = 32,
        effects: int = 0,
        settings: int = 200,
        levels: bool = True,
        scenario: str | None = None,
        difficulty: str | None = None,
        policy: Names = None,
        players: int | None = None,
        set: Sets = None,
        games: int = 2000,
        seed: int = 1,
        jobs: int | None = None,
        cluster: str | None = None,
        top: int = 20,
        out: str | Path | None = None,
        command: str | None = None,
    ) -> "Answer":
        """Which numbers move the result, and which conclusions stand whatever they are?

        assumed: only guesses; path: only values below these paths; range: how far numbers are varied; decks:
        random draws of all values at once; effects: so many of the most influential are looked at together,
        in `settings` random settings; levels: every level too; top: influences that the text lists; cluster:
        the address of a Dask scheduler whose workers play, or `"local:2"`.
        """
        flags = {"levels": None, "one_level": not levels}
        asked = command_line("sensitivity", self.name, {**locals(), **flags}, UNSAID)
        asking = answers("sensitivity", self.name)
        request = self.request(scenario, difficulty, policy, players, set)
        spread = share_of(range)
        what = asking.Varied(assumed, listed(path), spread, decks, effects, settings, levels)
        with self.efforts(games, seed, jobs, cluster) as effort:
            return asking.ask(request, effort, what, top, Path(out) if out else None, asked)

    def coverage(
        self,
        *,
        path: Names = None,
        changes: bool = True,
        scenario: str | None = None,
        difficulty: str | None = None,
        policy: Names = None,
        players: int | None = None,
        set: Sets = None,
        games: int = 1000,
        seed: int = 1,
        jobs: int | None = None,
        top: int = 10,
        out: str | Path | None = None,
        command: str | None = None,
    ) -> "Answer":
        """What comes up in the games of some players, and what never does: kinds of action, cards, spaces,
        ends, and each ruling and number, by playing the games again with another value of it.

        path: only values below these paths are changed; changes: are any; top: rows of a table in the text.
        """
        flags = {"changes": None, "no_changes": not changes}
        asked = command_line("coverage", self.name, {**locals(), **flags}, UNSAID)
        asking = answers("coverage", self.name)
        request = self.request(scenario, difficulty, policy, players, set)
        effort = self.effort(games, seed, jobs)
        place = Path(out) if out else None
        return asking.ask(request, effort, listed(path), changes, top, place, asked)

    def tune(
        self,
        *,
        knob: Names = None,
        path: Names = None,
        range: str | float | None = None,
        target: str | None = None,
        scenario: str | None = None,
        difficulty: str | None = None,
        policy: Names = None,
        players: int | None = None,
        set: Sets = None,
        games: int | None = None,
        cost: Sets = None,
        length: float | None = None,
        trials: int = 100,
        fresh: int = 20_000,
        seed: int = 1,
        jobs: int | None = None,
        cluster: str | None = None,
        out: str | Path | None = None,
        command: str | None = None,
    ) -> "Answer":
        """Which value hits a target? It is searched for, and played again on fresh seeds. Several knobs: the
        Pareto front of distance, length and cost; no knob: every value is varied once.

        knob: `"turn.ss_cards=3:6"`; target: `"win_rate=0.30"`; cost: path -> what a change there costs;
        length: wished turns; trials: combinations that are played; fresh: games that check the winner;
        cluster: the address of a Dask scheduler whose workers play, or `"local:2"`.
        """
        asked = command_line("tune", self.name, locals(), UNSAID)
        asking = answers("tune", self.name)
        knobs = listed(knob)
        asking.refuse_unclear(target, knobs, bool(path or range))
        request = self.request(scenario, difficulty, policy, players, set)
        spread, costs = share_of(range or "25%"), texts(cost)
        search = asking.Search(knobs, target, costs, length, trials, fresh, listed(path), spread)
        with self.efforts(games or asking.games_of(knobs), seed, jobs, cluster) as effort:
            return asking.ask(request, effort, search, Path(out) if out else None, asked)

    def rare(
        self,
        *,
        event: str | None = None,
        scenario: str | None = None,
        difficulty: str | None = None,
        policy: Names = None,
        players: int | None = None,
        set: Sets = None,
        trajectories: int = 500,
        replicates: int = 30,
        every_level: bool = False,
        games: int | None = None,
        seed: int = 1,
        jobs: int | None = None,
    ) -> "Answer":
        """How rare is an event that most games never see? Without an event those there are.

        trajectories: games, or parts of games, in each stage of the splitting; replicates: independent runs;
        every_level: a stage for each value of progress; games: of plain counting beside it.
        """
        asking = answers("rare", self.name)
        request = self.request(scenario, difficulty, policy, players, set)
        if event is None:
            return asking.events(request)
        volume = asking.SplittingVolume(trajectories, replicates, every_level, games)
        return asking.ask(request, self.effort(0, seed, jobs), event, volume)

    def losses(
        self,
        *,
        scenario: str | None = None,
        difficulty: str | None = None,
        policy: Names = None,
        players: int | None = None,
        set: Sets = None,
        seat: str | None = None,
        games: int = 10_000,
        pilot: int = 100,
        rollouts: int = 200,
        seed: int = 1,
        jobs: int | None = None,
        pages: str | Path | None = None,
        out: str | Path | None = None,
        command: str | None = None,
    ) -> "Answer":
        """When is a game really lost? seat: whose losses; pilot: games that are played on from every turn, so
        often as `rollouts`; pages: a folder for pages of the games it names.
        """
        asked = command_line("losses", self.name, locals(), (*UNSAID, "pages"))
        asking = answers("losses", self.name)
        request = self.request(scenario, difficulty, policy, players, set)
        effort, place = self.effort(games, seed, jobs), Path(out) if out else None
        return asking.ask(request, effort, seat, pilot, rollouts, asked, pages, place)

    def cards(
        self,
        *,
        value: bool = False,
        usage: bool = False,
        scenario: str | None = None,
        difficulty: str | None = None,
        set: Sets = None,
        players: int | None = None,
        policy: Names = None,
        seat: str | None = None,
        turn: int = 1,
        against: str | None = None,
        games: int = 2000,
        seed: int = 1,
        jobs: int | None = None,
        out: str | Path | None = None,
    ) -> "Answer":
        """The deck with its sources; or (value) what each card in hand is worth to `seat` on its `turn`-th
        card, compared with the card as dealt or with `against`; or (usage) how cards are used.
        """
        asked = command_line("cards", self.name, locals(), UNSAID)
        asking = answers("cards", self.name)
        request = self.request(scenario, difficulty, policy, players, set)
        assert request.loaded
        asking.cards_of(request.game)
        if value and usage:
            raise UsageError("cards: --value or --usage, one at a time")
        for option, given in {"--seat": seat, "--against": against}.items():
            if given and not value:
                raise UsageError(f"cards: {option} goes with --value")
        effort, folder = self.effort(games, seed, jobs), Path(out) if out else None
        if value:
            return asking.value(request, effort, seat, turn, against, folder, asked)
        if usage:
            return asking.usage(request, effort, folder, asked)
        for option, said in {"--policy": policy, "-o": out}.items():
            if said:
                raise UsageError(
                    f"cards: {option} goes with --value or --usage; without them the deck is listed"
                )
        return asking.deck(request)
