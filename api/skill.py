"""Questions about who plays how well: one method a question, with the options of the command."""

from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.api.asked import AskedGame
from bartizan.api.reading import Names, Sets, answers, command_line, half_width, listed

if TYPE_CHECKING:
    from bartizan.reports.answers.answer import Answer


class SkillQuestions(AskedGame):
    """Policies side by side, better weights, the archive of best players, difficulty over skill."""

    def ladder(
        self,
        *,
        scenario: str | None = None,
        difficulty: Names = None,
        policy: Names = None,
        noise: str | None = "0.1,0.2,0.4",
        games: int = 4000,
        seed: int = 1,
        set: Sets = None,
        players: int | None = None,
        jobs: int | None = None,
        cluster: str | None = None,
        out: str | Path | None = None,
        command: str | None = None,
    ) -> "Answer":
        """Policies from weakest to strongest, with skill and difficulty on one scale. noise: copies of the
        game's own policy that play at random with these chances, None for no copies; cluster: the address of
        a Dask scheduler whose workers play, or `"local:2"`.
        """
        asked = command_line("ladder", self.name, locals(), ("out", "jobs", "cluster"))
        asking = answers("ladder", self.name)
        request = self.request(scenario, None, policy, players, set)
        levels, place = listed(difficulty), Path(out) if out else None
        with self.efforts(games, seed, jobs, cluster) as effort:
            return asking.ask(request, levels, effort, noise or "none", place, asked)

    def train(
        self,
        *,
        out: str | Path,
        scenario: str | None = None,
        difficulty: Names = None,
        policy: Names = None,
        role: str | None = None,
        weight: Names = None,
        generations: int = 60,
        games: int = 2000,
        fresh: int = 20_000,
        seed: int = 1,
        set: Sets = None,
        players: int | None = None,
        jobs: int | None = None,
        cluster: str | None = None,
    ) -> "Answer":
        """With which weights does a policy play best? Writes them to `out`, a .toml file that
        `policy="garrison@FILE.toml"` names; an interrupted search goes on from there.

        difficulty: levels that count, each the same; role: whose policy is trained, the first one's unless
        given; weight: those that may change, all unless given; games: of a candidate at each level; fresh:
        of the comparison; cluster: the address of a Dask scheduler whose workers play, or `"local:2"`.
        """
        asking = answers("train", self.name)
        request = self.request(scenario, None, policy, players, set)
        lesson = asking.Lesson(Path(out), listed(difficulty), role, listed(weight), generations, fresh)
        with self.efforts(games, seed, jobs, cluster) as effort:
            return asking.ask(request, effort, lesson)

    def bracket(
        self,
        *,
        scenario: str | None = None,
        difficulty: Names = None,
        role: str | None = None,
        rung: Names = None,
        plays: str = "8,16,32,64",
        games: int = 20_000,
        slow_games: int = 40,
        settings: str = "",
        archive: str | Path | None = None,
        seed: int = 1,
        set: Sets = None,
        players: int | None = None,
        jobs: int | None = None,
        out: str | Path | None = None,
    ) -> "Answer":
        """How often do players of rising skill win each level? What is known of the same players on the same
        luck is not played again: from `out`, a .json file that grows, or else from what ships.

        difficulty, role, rung: only these; plays: a decision, of the rungs that look ahead; slow_games: games
        of such a rung; settings: of all of them, `"doubt=2"`; archive: best players of your own.
        """
        asking = answers("bracket", self.name)
        request = self.request(scenario, None, None, players, set)
        own, file = Path(archive) if archive else None, Path(out) if out else None
        chosen = (listed(difficulty), role, listed(rung), plays)
        ascent = asking.Ascent(*chosen, slow_games, settings, own, file)
        return asking.ask(request, self.effort(games, seed, jobs), ascent)

    def equilibrium(
        self,
        *,
        scenario: str | None = None,
        difficulty: str | None = None,
        policy: Names = None,
        players: int | None = None,
        set: Sets = None,
        rounds: int = 3,
        generations: int = 30,
        games: int = 2000,
        fresh: int = 10_000,
        draw: float = 0.0,
        seed: int = 1,
        jobs: int | None = None,
        out: str | Path | None = None,
        weights: str | Path | None = None,
    ) -> "Answer":
        """What is a game between two unlike sides worth, when each side answers the other's best play?

        policy: who is there beside each side's default, `"allied=escape_officer@standard"`; rounds: of
        training, fewer where nobody gains any more; generations: of each search; games: of a pair, and of a
        candidate; fresh: games that tell a gain; draw: what a draw counts for the first side; out: a .json
        file that grows; weights: the folder of the weights that were found, that of `out` unless given.
        """
        asking = answers("equilibrium", self.name)
        request = self.request(scenario, difficulty, policy, players, set)
        file, folder = Path(out) if out else None, Path(weights) if weights else None
        quest = asking.Quest(rounds, generations, fresh, draw, file, folder)
        return asking.ask(request, self.effort(games, seed, jobs), quest)

    def deal(
        self,
        *,
        seed: int = 1,
        game: int = 0,
        scenario: str | None = None,
        difficulty: str | None = None,
        policy: Names = None,
        players: int | None = None,
        set: Sets = None,
        deals: int = 200,
        plays: int = 100,
        seat: str | None = None,
        jobs: int | None = None,
    ) -> "Answer":
        """A deal for a table to stack: its piles, how the policy does on it, and how much of a result is the
        deal, from `deals` deals with `plays` under other luck each. seat: whose wins.
        """
        asking = answers("deal", self.name)
        request = self.request(scenario, difficulty, policy, players, set)
        return asking.ask(request, self.effort(plays, seed, jobs), game, deals, seat)

    def best(
        self,
        *,
        admit: str | None = None,
        difficulty: str | None = None,
        role: str | None = None,
        scenario: str | None = None,
        players: int | None = None,
        margin: str | float = "0.5pp",
        games: int = 40_000,
        archive: str | Path | None = None,
        jobs: int | None = None,
    ) -> "Answer":
        """The best policy found for each level, number of players and role. admit: a policy that is to be the
        best of one; it meets the one there is, on seeds of its own, until a sequential test tells, at most
        `games` pairs.

        margin: the test may answer either way where the gain is below twice this; archive: a .toml file of
        your own, read beside what ships, and written instead of it.
        """
        asking = answers("best", self.name)
        own = Path(archive) if archive else None
        if admit is None:
            return asking.shown(self.request(scenario, players=players), role, own)
        request = self.request(scenario, difficulty, players=players)
        trial = asking.Candidacy(admit, role, half_width(margin, "--margin"), own)
        return asking.admit(request, self.effort(games, 0, jobs), trial)
