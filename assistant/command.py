"""`bartizan mcp`, and the older command of `bartizan new skill`."""

import secrets
from collections.abc import Iterator
from pathlib import Path

from bartizan.api.question import Question, opt
from bartizan.api.reading import File, path_of
from bartizan.simcore.errors import UsageError

NEEDED = 'mcp: needs the SDK of the Model Context Protocol: pip install "bartizan[mcp]"'


class McpQuestion(Question[Iterator[str]]):
    """Serve assistants (Model Context Protocol).

    They ask Bartizan, and no language model computes a number. Over standard input and output, as clients
    start it; with --http for clients on this machine.
    """

    command = "mcp"
    example = "bartizan mcp --folder my_games"
    has_document = False

    folder: File | None = opt(
        "folder whose games may be run, and in which games, sheets and reports may be written "
        "(default: built-in games only)",
        default=None,
        metavar="DIR",
    )
    http: bool = opt("serve HTTP on 127.0.0.1 instead; the address with its token is shown", default=False)
    port: int = opt("with --http: port on 127.0.0.1 (default: any free port)", default=0, min=0, max=65_535)
    minutes: int = opt("the longest that one question is worked on", default=20, min=1, max=1440)

    def answer(self) -> Iterator[str]:
        folder = path_of(self.folder)
        if folder is not None and not folder.is_dir():
            raise UsageError(f"--folder {folder}: no such folder; make it, or name another")
        if self.port and not self.http:
            raise UsageError("--port: is for --http; without it the server has no port")
        try:
            from bartizan.assistant import server
        except ModuleNotFoundError as error:
            if (error.name or "").split(".")[0] == "bartizan":
                raise
            raise UsageError(NEEDED) from error  # the SDK, or what it brings
        assistant = server.Assistant(folder, self.minutes)
        if not self.http:
            server.serve_stdio(assistant)
            return iter(())
        from bartizan.workbench.server import listening, serve

        where, token = listening(self.port), secrets.token_urlsafe(24)
        port = where.getsockname()[1]
        self.watch.note(f"The server: http://127.0.0.1:{port}/mcp?token={token}")
        self.watch.note("Nobody but this machine reaches it. Ctrl-C ends it.")
        try:
            serve(server.http_app(assistant, port, token), where)
        finally:
            assistant.jobs.close()
        return iter(())


class InstallSkillQuestion(Question[Iterator[str]]):
    """Copy the skill of this version to where assistants look: .claude/skills and .agents/skills, or --to
    DIR.
    """

    command = "skill install"
    instead = "new skill"
    example = "bartizan skill install"

    to: File | None = opt("a folder of skills; the usual ones here unless given", default=None, metavar="DIR")

    def answer(self) -> Iterator[str]:
        from bartizan.api.answers.skill_texts import install

        return iter(install(Path(self.to) if self.to else None))
