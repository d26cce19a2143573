"""`bartizan mcp`, and the older form of `bartizan new skill`."""

import secrets
from collections.abc import Iterator
from pathlib import Path

from bartizan.api.question import Question, opt
from bartizan.api.reading import File, path_of
from bartizan.simcore.documentation import extra
from bartizan.simcore.errors import UsageError

NEEDED = f"mcp: needs the SDK of the Model Context Protocol; {extra('mcp')}"


class McpQuestion(Question[Iterator[str]]):
    """Serve assistants (Model Context Protocol).

    Assistants ask Bartizan questions, and no language model computes a number. A client starts the server
    and uses its standard input and output; with --http, the server listens on this machine.
    """

    command = "mcp"
    example = "bartizan mcp --folder my_games"
    has_document = False

    folder: File | None = opt(
        "folder in which the assistant may run games and write games, sheets and reports (default: no "
        "folder, so built-in games only)",
        default=None,
        metavar="DIR",
    )
    http: bool = opt(
        "serve HTTP on 127.0.0.1 instead; the command prints the address with its token", default=False
    )
    port: int = opt("with --http: port on 127.0.0.1; 0 is any free port", default=0, min=0, max=65_535)
    minutes: int = opt("time limit for one question, in minutes", default=20, min=1, max=1440)

    def answer(self) -> Iterator[str]:
        # a generator, because its body runs outside of `read_once`: edited files are read again
        folder = path_of(self.folder)
        if folder is not None and not folder.is_dir():
            raise UsageError(f"--folder {folder}: no such folder; create it, or choose another")
        if self.port and not self.http:
            raise UsageError("--port: requires --http; without it, the server has no port")
        try:
            from bartizan.assistant import server
        except ModuleNotFoundError as error:
            if (error.name or "").split(".")[0] == "bartizan":
                raise
            raise UsageError(NEEDED) from error  # the SDK, or one of its dependencies
        assistant = server.Assistant(folder, self.minutes)
        if not self.http:
            server.serve_stdio(assistant)
            return
        from bartizan.workbench.server import listening, serve

        where, token = listening(self.port), secrets.token_urlsafe(24)
        port = where.getsockname()[1]
        self.watch.note(f"The server: http://127.0.0.1:{port}/mcp?token={token}")
        self.watch.note("Only this machine can reach the server. Press Ctrl-C to stop it.")
        try:
            serve(server.http_app(assistant, port, token), where)
        finally:
            assistant.jobs.close()
        yield from ()


class InstallSkillQuestion(Question[Iterator[str]]):
    """Copy the skill of this version to the folders that assistants search.

    These folders are .claude/skills and .agents/skills, or --to DIR.
    """

    command = "skill install"
    instead = "new skill"
    example = "bartizan skill install"

    to: File | None = opt(
        "folder for skills (default: the usual ones on this machine)", default=None, metavar="DIR"
    )

    def answer(self) -> Iterator[str]:
        from bartizan.api.answers.skill_texts import install

        return iter(install(Path(self.to) if self.to else None))
