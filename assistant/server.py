"""The server: tools, resources and prompts of the Model Context Protocol, over stdio or over local HTTP."""

import base64
import json
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import anyio
import mcp_types as types
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from bartizan.api.answers.skill_texts import text_of
from bartizan.assistant import guides
from bartizan.assistant.fence import GAME_FILES, MOST_FILE, MOST_FILES, Fence, check_only_rules
from bartizan.assistant.jobs import Job, Jobs, refusal
from bartizan.assistant.replies import MOST_SHOWN, Reply, quoted, shortened
from bartizan.assistant.tools import BY_NAME, MOST_TEXT, TOOLS, Tool, texts_in
from bartizan.simcore.errors import BartizanError, UsageError, did_you_mean

PATIENCE = 25.0  # seconds until a call is answered, with the result or a job
TICK = 0.05  # seconds between two reports of progress
# files of a job: (name in the address, file, type)
FILES = {
    "text": ("text.txt", "text/plain"),
    "document": ("document.json", "application/json"),
    "page": ("page.html", "text/html"),
    "picture": ("picture.png", "image/png"),
}
VIEW = "ui://bartizan/answer"  # the page that a client shows with an answer (MCP Apps)
SHOWN_BY = {"ui": {"resourceUri": VIEW}}  # metadata of a tool
READS = types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
WRITES = types.ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
JOB = {"type": "string", "description": "job ID from an earlier reply"}
OF_JOBS = {
    "progress": (
        "Progress of a job",
        "Progress of a job, with the estimate so far. stop=true ends it.",
        {"job": JOB, "stop": {"type": "boolean"}},
        ["job"],
    ),
    "result": ("The answer of a job", "Wait up to 25 s for the answer of a job.", {"job": JOB}, ["job"]),
}
WRITING = {
    "write_game": (
        "Write a game, a sheet or a scenario",
        (
            "Write a short game (.py), a sheet of cards (.csv), a scenario (.toml) or notes (.md) into "
            "the folder. Read the guides first; then call check."
        ),
        {
            "file": {"type": "string", "description": "plain name, such as my_game.py"},
            "text": {"type": "string"},
            "replace": {"type": "boolean", "description": "keep a copy of the old file"},
        },
        ["file", "text"],
    ),
    "save": (
        "Save an answer as a file",
        (
            "Save the page (.html), the document (.json), the picture (.png) or the text (.txt) of a job "
            "in the folder."
        ),
        {"job": JOB, "file": {"type": "string", "description": "plain name, such as report.html"}},
        ["job", "file"],
    ),
}


class Assistant:
    """State of a server.

    folder: the folder that the server may read and write; None for built-in games only. minutes: time limit
    for each question. patience: seconds until a call returns an answer or a job. jobs: questions in progress
    (for tests).
    """

    def __init__(
        self, folder: Path | None, minutes: float = 20, patience: float = PATIENCE, jobs: Jobs | None = None
    ):
        self.fence = Fence(folder.resolve() if folder else None)
        self.jobs = jobs or Jobs(self.fence, minutes * 60)
        self.patience, self.written = patience, 0

    # ------------------------------------------------------------ tools

    def tools(self) -> list[types.Tool]:
        """Return the tools. Tools that need a folder are omitted if there is none."""
        asking = [tool for tool in TOOLS if self.fence.folder or not tool.needs_folder]
        found = [
            types.Tool(
                name=tool.name,
                title=tool.title,
                description=tool.help,
                input_schema=tool.schema,
                annotations=READS,
                _meta=SHOWN_BY,
            )
            for tool in asking
        ]
        found += [_tool(name, *how, READS) for name, how in OF_JOBS.items()]
        found[-1].meta = SHOWN_BY  # `result` also returns answers
        return found + (
            [_tool(name, *how, WRITES) for name, how in WRITING.items()] if self.fence.folder else []
        )

    async def call(
        self, name: str, arguments: Mapping[str, Any], context: Any = None
    ) -> types.CallToolResult:
        """Run a tool. An invalid call returns a one-line error instead of raising an exception."""
        try:
            known = {tool.name for tool in self.tools()}
            if name not in known:
                raise UsageError(f'no tool "{name[:60]}"{did_you_mean(name, known)}')
            if name in BY_NAME:
                return await self._answer(BY_NAME[name], arguments, context)
            self._check_names(name, arguments)
            if name == "progress":
                return self._progress(**arguments)
            if name == "result":
                return await self._waited(self.jobs.find(arguments["job"]), context)
            return await anyio.to_thread.run_sync(lambda: self._write(name, **arguments))
        except BartizanError as error:
            return _said(refusal(shortened(" ".join(str(error).split()), 1500)))

    async def _answer(self, tool: Tool, arguments: Mapping[str, Any], context: Any) -> types.CallToolResult:
        tool.read(arguments)  # an invalid call needs no process
        self.fence.hold(texts_in(arguments))
        job = await anyio.to_thread.run_sync(lambda: self.jobs.ask(tool.name, arguments))
        return await self._waited(job, context)

    async def _waited(self, job: Job, context: Any) -> types.CallToolResult:
        """Wait up to `patience` seconds, and return the answer of a job or its progress.

        Cancelling the call ends the job, unless another call waits for the job or a caller has its ID.
        """
        job.asking += 1
        told, until = "", anyio.current_time() + self.patience
        try:
            while not job.done.is_set() and anyio.current_time() < until:
                await anyio.to_thread.run_sync(job.done.wait, TICK, abandon_on_cancel=True)
                if context is not None and (now := job.how_far.rpartition(",")[0] + job.known) != told:
                    told = now
                    await context.session.report_progress(job.games, job.total or None, _so_far(job))
        except anyio.get_cancelled_exc_class():
            if job.asking == 1 and not job.has_handle:
                self.jobs.stop(job)
            raise
        finally:
            job.asking -= 1
        return self._state(job)

    def _state(self, job: Job) -> types.CallToolResult:
        if job.is_cancelled:
            reply = Reply(
                state="cancelled",
                answer=f"{job.number} was stopped after {job.seconds:.0f} s",
                job=job.number,
            )
            return _said({"reply": reply.document(), "text": reply.answer})
        if job.message is not None:
            return _said(job.message, job)
        job.has_handle = True
        answer = f"Not finished: {job.how_far}. Get it later with result(job={job.number!r})"
        reply = Reply(state="working", answer=answer, job=job.number, known_so_far=job.known)
        lines = [answer, *([f"Known so far: {job.known}"] if job.known else [])]
        if job.notes:
            lines.append(quoted(job.notes[-2:], self.fence.folder is not None, MOST_SHOWN))
        return _said({"reply": reply.document(), "text": "\n".join(lines)})

    def _progress(self, job: Any, stop: bool = False) -> types.CallToolResult:
        found = self.jobs.find(job)
        if stop:
            self.jobs.stop(found)
        return self._state(found)

    def _check_names(self, name: str, arguments: Mapping[str, Any]) -> None:
        """Raise UsageError for unknown or missing arguments of the server's own tools."""
        _, _, options, needed = (OF_JOBS | WRITING)[name]
        for word, value in arguments.items():
            if word not in options:
                raise UsageError(f'{name}: no option "{word[:60]}"{did_you_mean(word, options)}')
            kind = bool if options[word]["type"] == "boolean" else str
            if not isinstance(value, kind):
                raise UsageError(f"{name}: {word}: write {'true or false' if kind is bool else 'text'}")
            if word != "text" and len(str(value)) > MOST_TEXT:
                raise UsageError(f"{name}: {word}: longer than {MOST_TEXT:,} characters; shorten it")
        for word in needed:
            if word not in arguments:
                raise UsageError(f"{name}: {word} is missing; give it")

    # ------------------------------------------------------------ writing

    def _write(
        self, name: str, file: str, text: str = "", replace: bool = False, job: str = ""
    ) -> types.CallToolResult:
        if self.written >= MOST_FILES:
            raise UsageError(
                f"{name}: {MOST_FILES} files have been written; restart the server to write more"
            )
        if name == "save":
            content, suffixes = self._content(job, file)
        else:
            if len(text) > MOST_FILE:
                raise UsageError(f"{file}: longer than {MOST_FILE:,} characters; shorten it")
            if file.endswith(".py"):
                check_only_rules(file, text)
            content, suffixes = text.encode("utf-8", "replace"), GAME_FILES
        path, kept = self.fence.write(file, content, suffixes, replace)
        self.written += 1
        answer = f"{path.name}: written, {len(content):,} bytes" + (
            f"; the old file is {kept}" if kept else ""
        )
        if file.endswith(".py"):
            answer += f". Next: check(target={path.name!r})"
        reply = Reply(state="answered", answer=answer)
        return _said({"reply": reply.document(), "text": answer})

    def _content(self, number: str, file: str) -> tuple[bytes, tuple[str, ...]]:
        job = self.jobs.find(number)
        suffixes = {Path(name).suffix: name for name, _ in FILES.values()}
        source = job.place / suffixes.get(Path(file).suffix, "none")
        if not source.is_file():
            there = [suffix for suffix, name in suffixes.items() if (job.place / name).is_file()]
            raise UsageError(
                f"save: job {number} has no {Path(file).suffix or 'such'} file; it has "
                f"{', '.join(there) or 'none'}"
            )
        return source.read_bytes(), tuple(suffixes)

    # ------------------------------------------------------------ resources

    def resources(self) -> list[types.Resource]:
        found = [
            types.Resource(uri=uri, name=guide.name, title=guide.title, mime_type="text/markdown")
            for uri, guide in guides.GUIDES.items()
        ]
        schema = types.Resource(uri=guides.SCHEMA, name="reply-schema", mime_type="application/json")
        view = types.Resource(uri=VIEW, name="answer-view", mime_type=APP_MIME_TYPE)
        return [
            *found,
            schema,
            view,
            *(link for job in self.jobs.jobs.values() for link in _links(job, types.Resource)),
        ]

    def read(self, uri: str) -> types.ReadResourceResult:
        """Return a resource. Raises UsageError for an unknown URI."""
        if uri in guides.GUIDES:
            return _contents(uri, "text/markdown", guides.GUIDES[uri].text())
        if uri == VIEW:
            return _contents(uri, APP_MIME_TYPE, text_of("answer.html"))
        if uri == guides.SCHEMA:
            return _contents(uri, "application/json", json.dumps(Reply.model_json_schema()))
        if self.fence.folder and (found := re.fullmatch(r"bartizan://files/([^/]+)", uri)):
            return _contents(uri, "text/plain", self._file(unquote(found[1])))
        found = re.fullmatch(rf"bartizan://answers/([\w-]+)/({'|'.join(FILES)})", uri)
        job = self.jobs.jobs.get(found[1]) if found else None
        if found and job:
            file, kind = FILES[found[2]]
            path = job.place / file
            if path.is_file():
                is_picture = kind == "image/png"
                return _contents(uri, kind, path.read_bytes() if is_picture else path.read_text("utf-8"))
        raise UsageError(f"no resource {uri[:200]}; list the resources")

    def _file(self, name: str) -> str:
        """Return the text of a game file or a sheet in the folder.

        Raises UsageError for a missing file, another kind of file, and a file that is too large.
        """
        path = self.fence.inside(name)
        if not path.is_file():
            raise UsageError(f"{name[:80]}: no such file in the folder")
        if path.suffix not in GAME_FILES or path.stat().st_size > MOST_FILE:
            raise UsageError(
                f"{name[:80]}: only {', '.join(GAME_FILES)} of at most {MOST_FILE:,} bytes are shown"
            )
        return path.read_text(encoding="utf-8", errors="replace")


def _contents(uri: str, kind: str, content: str | bytes) -> types.ReadResourceResult:
    one = (
        types.TextResourceContents(uri=uri, mime_type=kind, text=content)
        if isinstance(content, str)
        else types.BlobResourceContents(uri=uri, mime_type=kind, blob=base64.b64encode(content).decode())
    )
    return types.ReadResourceResult(contents=[one])


def _tool(
    name: str,
    title: str,
    help: str,
    options: Mapping[str, Any],
    needed: list[str],
    notes: types.ToolAnnotations,
) -> types.Tool:
    schema = {"type": "object", "properties": options, "required": needed, "additionalProperties": False}
    return types.Tool(name=name, title=title, description=help, input_schema=schema, annotations=notes)


def _so_far(job: Job) -> str:
    return "; ".join(filter(None, (job.how_far, job.known, *job.notes[-1:])))


def _links(job: Job, make: Any) -> list[Any]:
    """Return links to the files of a job's answer that exist: JSON output, page, text and picture."""
    return [
        make(uri=f"bartizan://answers/{job.number}/{name}", name=f"{job.number}-{name}", mime_type=kind)
        for name, (file, kind) in FILES.items()
        if job.message is not None and (job.place / file).is_file()
    ]


def _said(message: Mapping[str, Any], job: Job | None = None) -> types.CallToolResult:
    """Convert a reply to a result of the protocol, with the files of its job."""
    reply, text = dict(message["reply"]), message["text"]
    content: list[Any] = []
    if job is not None:
        reply["job"] = job.number
        if reply.get("command"):
            text += f"\n\nThe same in a terminal: {reply['command']}"
    content.append(types.TextContent(text=text))
    if job is not None:
        picture = job.place / FILES["picture"][0]
        if picture.is_file():
            data = base64.b64encode(picture.read_bytes()).decode()
            content.append(types.ImageContent(data=data, mime_type="image/png"))
        content += _links(job, types.ResourceLink)
    return types.CallToolResult(
        content=content, structured_content=reply, is_error=reply["state"] == "refused"
    )


# ---------------------------------------------------------------- the protocol


@contextmanager
def refusing(**data: Any) -> Iterator[None]:
    """Convert the user's errors to errors of the protocol, for requests that are not tool calls."""
    try:
        yield
    except (BartizanError, OSError) as error:
        line = " ".join(str(error).split())
        raise MCPError(code=types.INVALID_PARAMS, message=line, data=data or None) from error


def server_of(assistant: Assistant) -> Server:
    """Return the SDK's server with handlers for all requests."""

    async def list_tools(context: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=assistant.tools())

    async def call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        return await assistant.call(params.name, params.arguments or {}, context)

    async def list_resources(context: Any, params: Any) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=assistant.resources())

    async def list_templates(context: Any, params: Any) -> types.ListResourceTemplatesResult:
        found = [types.ResourceTemplate(uri_template="bartizan://answers/{job}/{part}", name="answer")]
        if assistant.fence.folder:
            found.append(types.ResourceTemplate(uri_template="bartizan://files/{name}", name="file"))
        return types.ListResourceTemplatesResult(resource_templates=found)

    async def read_resource(
        context: Any, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        with refusing(uri=str(params.uri)):
            return await anyio.to_thread.run_sync(lambda: assistant.read(str(params.uri)))

    async def list_prompts(context: Any, params: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[prompt.declared for prompt in guides.PROMPTS.values()])

    async def get_prompt(context: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        with refusing():
            prompt = guides.PROMPTS.get(params.name)
            if prompt is None:
                raise UsageError(f"no prompt {params.name[:60]!r}{did_you_mean(params.name, guides.PROMPTS)}")
            text = prompt.text(params.arguments or {})
        message = types.PromptMessage(role="user", content=types.TextContent(text=text))
        return types.GetPromptResult(description=prompt.help, messages=[message])

    @asynccontextmanager
    async def lifespan(server: Server) -> AsyncIterator[dict[str, Any]]:
        yield {}

    server = Server(
        "bartizan",
        version=version("bartizan"),
        title="Bartizan: balance of board games by simulation",
        instructions=guides.instructions(assistant.fence.folder is not None),
        lifespan=lifespan,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )
    server.extensions[EXTENSION_ID] = {"mimeTypes": [APP_MIME_TYPE]}
    return server


def serve_stdio(assistant: Assistant) -> None:
    """Serve until the client closes the connection.

    Stdout is reserved for the protocol, so file descriptor 1 is redirected to stderr meanwhile.
    """
    from mcp.server.stdio import stdio_server

    async def run() -> None:
        server = server_of(assistant)
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    try:
        anyio.run(run)
    finally:
        assistant.jobs.close()


def http_app(assistant: Assistant, port: int, token: str) -> Any:
    """Return the application for HTTP on this machine, protected by the workbench's guard."""
    from bartizan.workbench.guard import ProgramGuard

    app = server_of(assistant).streamable_http_app()
    app.add_middleware(ProgramGuard, port=port, token=token)
    return app
