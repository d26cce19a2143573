"""Which test files a change concerns: `python -m tests.concerned [BASE]` prints those that reach a file that differs
from BASE (default: where this branch left main; what is not committed counts too). `make quick` runs them.

A test file reaches the modules that it imports, the functions and classes that it names, and what these import and
name in turn. An import inside a function counts where the function is named. Files of data are reached by their names
in texts, and by the code in their folder. Two kinds of thing are found by name only, while the product runs: questions
(a class with a `command`) and built-in games. A test that contains the name, as a word of a text or as something that
is called, reaches them; a test that asks for all names reaches all.

Read from the sources, in some seconds. tests/house/test_concerned.py plants a file and looks who is named.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = "bartizan"
OUTSIDE = ("tests/", "examples/", "docs/", "benchmarks/")  # no part of the product
ALWAYS = "tests/house/"  # they read all sources
EVERYTHING = {"pyproject.toml", "setup.py", "requirements-all.lock", "tests/conftest.py"}  # of concern to every test
BASES = ("main", "origin/main")
ALL_GAMES, ALL_QUESTIONS = "game_names", "all_questions"
SNAPSHOT = ".ambr"  # wording that one test file has had accepted
QUESTION = "Question"  # end of the name of its class
HARMLESS = {"cache", "cached_property", "contextmanager", "inline", "jit", "lru_cache", "overload", "property", "wraps"}
MODULE = re.compile(rf"\b{PACKAGE}(?:\.\w+)+")  # in a text: for a child process, or to be patched
WORD = re.compile(r"(?<![\w-])\w+")  # no option, such as --games
COMMAND = re.compile(r"[\w-]*(?: [\w-]+)?")
COMMANDS = re.compile(rf"{PACKAGE} ([\w-]+(?: [\w-]+)?)")
FILE = re.compile(r"[\w./-]+")
IMPORTS = re.compile(rf"from ({PACKAGE}[\w.]*) import (.*)")
TEMPLATES = (".jinja", ".j2")
SOURCES = re.compile(r"\*\.py$")


@dataclass
class Part:
    """What the outermost statements of a module say, or one of its functions or classes."""

    imports: set[str] = field(default_factory=set)  # modules
    refers: set[str] = field(default_factory=set)  # dotted names; of this module without dots
    told: set[str] = field(default_factory=set)  # dotted names in texts
    calls: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)  # of texts
    asked: set[str] = field(default_factory=set)  # of texts: what may be a command
    paths: set[str] = field(default_factory=set)  # files and folders in texts, and their last parts


class Source(ast.NodeVisitor):
    """One file: its parts, and what its names stand for."""

    def __init__(self, path: str):
        self.path = path
        self.part = self.top = Part()
        self.parts: dict[str, Part] = {}  # by the name of the function or class
        self.local: dict[str, str] = {}  # name -> what was imported under it
        self.stars: set[str] = set()  # modules of which everything is imported
        self.commands: dict[str, str] = {}  # of questions
        self.aliases: dict[str, set[str]] = {}  # name in Python -> questions that it stands for
        self.rooms: dict[str, str] = {}  # of bartizan/__init__.py: module -> the names that are loaded from it
        self.visit(ast.parse((ROOT / path).read_text(encoding="utf-8")))

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self.part.imports.add(alias.name)
            self.local[alias.asname or alias.name.split(".")[0]] = (
                alias.name if alias.asname else alias.name.split(".")[0]
            )

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        home = node.module or ""
        if node.level:
            package = dotted(self.path).split(".")
            above = package[: len(package) + self.path.endswith("__init__.py") - node.level]
            home = ".".join([*above, *home.split(".")]).rstrip(".")
        self.part.imports.add(home)
        for alias in node.names:
            if alias.name == "*":
                self.stars.add(home)
                self.part.refers.add(f"{home}.*")
            else:
                self.local[alias.asname or alias.name] = f"{home}.{alias.name}"
                self.part.imports.add(f"{home}.{alias.name}")
                self.part.calls |= {alias.name} & {ALL_QUESTIONS}

    def visit_If(self, node: ast.If) -> None:
        if name_of(node.test) != "TYPE_CHECKING":  # never executed
            self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if self.part is not self.top:
            return self.generic_visit(node)
        used = [name_of(one.func if isinstance(one, ast.Call) else one) for one in node.decorator_list]
        for one in (*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.visit(one)  # executed on import
        if {*used} - HARMLESS:  # it may be kept somewhere
            self.part.refers.add(node.name)
        self.inside(node.name, node.body)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        if self.part is not self.top:
            return self.generic_visit(node)
        later = (ast.FunctionDef, ast.AsyncFunctionDef)
        for one in (
            *node.decorator_list,
            *node.bases,
            *node.keywords,
            *(one for one in node.body if not isinstance(one, later)),
        ):
            self.visit(one)
        for one in node.body:
            if (
                isinstance(one, ast.Assign)
                and name_of(one.targets[0]) == "command"
                and isinstance(one.value, ast.Constant)
                and one.value.value
            ):
                self.commands[node.name] = one.value.value
        self.inside(node.name, [*node.bases, *(one for one in node.body if isinstance(one, later))])

    def inside(self, name: str, nodes: Iterable[ast.AST]) -> None:
        self.part = self.parts.setdefault(name, Part())
        for node in nodes:
            self.visit(node)
        self.part = self.top

    def visit_Assign(self, node: ast.Assign) -> None:
        """`drift = QuestionMethod(in_games.DriftQuestion)`, and the rooms of bartizan/__init__.py."""
        names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        if isinstance(node.value, ast.Call):
            given = {name_of(one) for one in node.value.args}
            for name in names:
                self.aliases.setdefault(name, set()).update(one for one in given if one.endswith(QUESTION))
        if names == ["_ROOMS"]:
            self.rooms = ast.literal_eval(node.value)
        else:
            self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        self.refer(node.id)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        chain, inner = [], node
        while isinstance(inner, ast.Attribute):
            chain.append(inner.attr)
            inner = inner.value
        if isinstance(inner, ast.Name):
            self.refer(inner.id, *reversed(chain))
        else:
            self.visit(inner)

    def refer(self, name: str, *chain: str) -> None:
        self.part.refers.add(".".join((name, *chain)))
        last = (name, *chain)[-1]
        if last.endswith(QUESTION) or last == ALL_GAMES:
            self.part.calls.add(last)

    def visit_Call(self, node: ast.Call) -> None:
        self.part.calls.add(name_of(node.func))
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        """`name in game_names()` asks for one."""
        if isinstance(node.ops[0], ast.In | ast.NotIn) and ALL_GAMES in ast.dump(node.comparators[0]):
            self.visit(node.left)
        else:
            self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """`document["games"]` asks no question."""
        self.visit(node.value)
        self.unasked(node.slice)

    def visit_Dict(self, node: ast.Dict) -> None:
        for key in filter(None, node.keys):
            self.unasked(key)
        for value in node.values:
            self.visit(value)

    def unasked(self, node: ast.expr) -> None:
        asked, self.part.asked = self.part.asked, set()
        self.visit(node)
        self.part.asked = asked

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring
            self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self.part.told.update(MODULE.findall(node.value))
            self.part.words.update(WORD.findall(node.value))
            self.part.asked.update(commands_in(node.value))
            self.part.paths.update(SOURCES.findall(node.value))
            for path in FILE.findall(node.value):
                self.part.paths |= {path.strip("/"), path.strip("/").rpartition("/")[2]} - {""}


def commands_in(text: str) -> set[str]:
    """Words that may belong to a command: at the beginning of a text, and after `bartizan`."""
    return {*COMMAND.match(text)[0].split(), *(word for found in COMMANDS.findall(text) for word in found.split())}


def name_of(node: ast.expr) -> str:
    """The last part of a dotted name; "" for what is none."""
    return getattr(node, "attr", getattr(node, "id", ""))


def dotted(path: str) -> str:
    """Name of a module: `bartizan.cli` of `cli.py`, `tests.labels` of `tests/labels.py`."""
    plain = path.removesuffix(".py").removesuffix("__init__").rstrip("/").replace("/", ".")
    return plain if path.startswith(OUTSIDE) else f"{PACKAGE}.{plain}".rstrip(".")


class Graph:
    """What each file, and each part of a module (`reports/page.py::Page`), reaches at once."""

    def __init__(self, files: Iterable[str]):
        self.files = sorted(files)
        self.sources = {path: Source(path) for path in self.files if path.endswith(".py") and (ROOT / path).exists()}
        self.modules = {dotted(path): path for path in self.files if path.endswith(".py")}
        names = {path.split("/")[1] for path in self.files if re.fullmatch(r"simcore/\w+/turns\.py", path)}
        self.games = {
            name: {path for path in self.files if path.startswith((f"simcore/{name}/", f"policies/{name}/"))}
            for name in sorted(names)
        }
        self.of_games = set().union(*self.games.values())
        self.questions = {
            f"{path}::{name}": command
            for path, source in self.sources.items()
            if not path.startswith(OUTSIDE)
            for name, command in source.commands.items()
        }
        self.rooms = {name: room for room, names in self.sources["__init__.py"].rooms.items() for name in names.split()}
        coded = {path.rpartition("/")[0] for path in self.sources}
        data = [path for path in self.files if not path.endswith((".py", SNAPSHOT))]
        code = [path for path in self.files if path.endswith(".py") and not path.endswith("__init__.py")]
        self.snapshots = {path for path in self.files if path.endswith(SNAPSHOT)}
        self.by_name = grouped(data, lambda path: path.rpartition("/")[2])
        self.by_folder = grouped(data, lambda path: path.rpartition("/")[0])
        self.by_end = grouped(
            (path for path in data if not path.startswith(OUTSIDE)),
            lambda path: path.rpartition("/")[0].rpartition("/")[2],
        )
        self.by_home = grouped(data, lambda path: nearest(path, coded))
        self.code_by_name = grouped(code, lambda path: path.rpartition("/")[2])
        self.authored = {  # file -> its name and folder: an author names them apart
            path: {Path(path).stem, path.rpartition("/")[0]}
            for path in code
            if path.startswith(("examples/", "tests/games/"))
        }
        self.names: dict[str, tuple[set[str], set[str]]] = {}

    @cached_property
    def keys(self) -> dict[str, list[set[str]]]:
        """Question -> its names, each a set of words: command, class, names in Python."""
        keys = {}
        for question, command in self.questions.items():
            name = question.partition("::")[2]
            aliases = [
                alias for source in self.sources.values() for alias, named in source.aliases.items() if name in named
            ]
            keys[question] = [
                {name},
                set(command.split()),
                *({alias} for alias in (*aliases, re.sub(r"\W", "_", command))),
            ]
        return keys

    def module(self, name: str) -> Iterator[str]:
        """Files of a module and of the packages that it is in."""
        parts = name.split(".")
        yield from (
            self.modules[found] for end in range(len(parts)) if (found := ".".join(parts[: end + 1])) in self.modules
        )

    def resolved(self, name: str, seen: frozenset[str] = frozenset()) -> Iterator[str]:
        """Where a dotted name leads to: parts of modules, modules."""
        parts = name.split(".")
        if name in seen or parts[0] not in (PACKAGE, "tests", "benchmarks"):
            return
        yield from self.module(name)
        end = max((end for end in range(len(parts) + 1) if ".".join(parts[:end]) in self.modules), default=0)
        path, inside = self.modules.get(".".join(parts[:end]), ""), parts[end:]
        if path not in self.sources:
            return
        source = self.sources[path]
        if not inside or inside == ["*"]:  # the module itself is handed on; one with questions is searched for those
            yield from [path] if source.commands else self.whole(path)
        elif inside[0] in source.parts:
            yield f"{path}::{inside[0]}"
        elif inside[0] in source.local:
            yield from self.resolved(".".join([source.local[inside[0]], *inside[1:]]), seen | {name})
        elif path == "__init__.py" and inside[0] in self.rooms:
            yield from self.resolved(f"{self.rooms[inside[0]]}.{inside[0]}", seen | {name})
        else:
            for star in source.stars:
                yield from self.resolved(f"{star}.{inside[0]}", seen | {name})
            if "__getattr__" in source.parts:
                yield f"{path}::__getattr__"

    def whole(self, path: str) -> Iterator[str]:
        yield path
        yield from (f"{path}::{name}" for name in self.sources[path].parts)
        if path == "__init__.py":
            for room in self.rooms.values():
                yield from self.module(room)

    def step(self, path: str, part: Part) -> Iterator[str]:
        source = self.sources[path]
        for name in part.imports:
            yield from self.module(name)
            if path.startswith(OUTSIDE):  # an author's files lie side by side
                yield from {f"{path.rpartition('/')[0]}/{name.split('.')[0]}.py"} & self.sources.keys()
        for name in part.refers:
            first, dot, rest = name.partition(".")
            if first in source.local:
                yield from self.resolved(source.local[first] + dot + rest)
            elif first in source.parts:
                yield f"{path}::{first}"
            elif name.startswith((PACKAGE, "tests")):  # of a star
                yield from self.resolved(name)
            else:
                for star in source.stars:
                    yield from self.resolved(f"{star}.{first}")
        for name in part.told:
            if path.startswith(OUTSIDE) or name in self.modules:
                for module in list(self.module(name))[-1:]:
                    if path.startswith(OUTSIDE):  # patched, perhaps
                        yield from self.whole(module)
                    elif not (path == "simcore/game.py" and module in self.of_games):
                        yield module
        yield from self.named(path, part)

    def named(self, path: str, part: Part) -> set[str]:
        """Files that it may read: those that its texts name, and data in its folder or below it, where no other code
        is nearer.
        """
        home, is_outside = path.rpartition("/")[0], path.startswith(OUTSIDE)
        found = {data for name in part.paths & self.by_name.keys() for data in self.by_name[name]}
        for folder in part.paths & self.by_folder.keys():
            found |= self.by_folder[folder] if is_outside else set()
        for folder in part.paths & self.by_end.keys():  # `reports` reads its `templates`
            found |= {data for data in self.by_end[folder] if data.partition("/")[0] == path.partition("/")[0]}
        if home and home != "tests":
            found |= self.by_home.get(home, set())
        if is_outside:
            found |= {code for name in part.paths & self.code_by_name.keys() for code in self.code_by_name[name]}
            found |= {code for code, names in self.authored.items() if names <= part.paths}
        snapshot = f"{home}/__snapshots__/{Path(path).stem}{SNAPSHOT}"
        return found - {path} | ({snapshot} & self.snapshots)

    @cached_property
    def steps(self) -> dict[str, set[str]]:
        steps = {}
        for path, source in self.sources.items():
            steps[path] = set(self.step(path, source.top))
            for name, part in source.parts.items():
                steps[f"{path}::{name}"] = {path, *self.step(path, part)}
            if path.startswith(OUTSIDE):  # whatever it defines is for a test
                steps[path].update(*(steps[f"{path}::{name}"] for name in source.parts))
        for path in self.files:
            if path.endswith(TEMPLATES):
                steps[path] = set(self.imports_in((ROOT / path).read_text(encoding="utf-8")))
        return steps

    def imports_in(self, text: str) -> Iterator[str]:
        """Of a template of code."""
        for home, names in IMPORTS.findall(text):
            for name in (home, *(f"{home}.{one}" for one in WORD.findall(names))):
                for module in self.module(name):
                    yield from self.whole(module)

    def spread(self, begun: Iterable[str], within: Callable[[str], bool], before: Iterable[str] = ()) -> set[str]:
        """All that is reached from these, step by step, as far as `within` lets it; and what was reached before."""
        found, left = {*before}, list(begun)
        while left:
            path = left.pop()
            if path not in found and within(path):
                found.add(path)
                left += self.steps.get(path, ())
        return found

    @cached_property
    def common(self) -> set[str]:
        """What every test file begins with."""
        return self.spread(["tests/conftest.py"], lambda path: path.startswith(OUTSIDE))

    def reached(self, test: str) -> set[str]:
        """All files that a test file reaches."""
        conftests = [path for path in self.sources if path.endswith("/conftest.py") and test.startswith(path[:-11])]
        outside = self.spread([test, *conftests], lambda path: path.startswith(OUTSIDE) and path not in self.common)
        paths = {path.partition("::")[0] for path in outside}
        words, asked = (set().union(*sets) for sets in zip(*map(self.names_of, paths), strict=True))
        begun = self.common.union(
            self.module(dotted(test)), *(self.steps.get(path, {path}) for path in outside), outside
        )
        doors = {
            name for name, keys in self.keys.items() if ALL_QUESTIONS in asked or any(key <= asked for key in keys)
        }
        opened: set[str] = set()  # questions, and files of games
        found = self.behind(opened, begun, self.behind_common)
        while True:
            every_game = ALL_GAMES in words or not self.of_all_games.isdisjoint(found)
            more = {name for name in doors if name.partition("::")[0] in found}
            more = more.union(*(parts for name, parts in self.parts_of_games.items() if every_game or name in words))
            if more <= opened:
                return {path.partition("::")[0] for path in found}
            opened |= more
            found = self.behind(opened, more, found)

    def behind(self, opened: set[str], begun: Iterable[str], before: Iterable[str] = ()) -> set[str]:
        """What is reached through open doors alone."""
        shut = self.questions.keys() - opened
        files = self.of_games - opened
        return self.spread(begun, lambda path: path not in shut and path.partition("::")[0] not in files, before)

    @cached_property
    def behind_common(self) -> set[str]:
        """What every test file reaches, whatever it names."""
        return self.behind(set(), self.common)

    @cached_property
    def parts_of_games(self) -> dict[str, set[str]]:
        """Game -> its files and all that is in them."""
        return {
            name: files.union(*(self.whole(path) for path in files & self.sources.keys()))
            for name, files in self.games.items()
        }

    @cached_property
    def of_all_games(self) -> set[str]:
        """Parts of the product that ask for the names of all games."""
        asking = {path for path in self.sources if not path.startswith((*OUTSIDE, "simcore/game.py"))}
        names = [name for path in asking for name in (path, *(f"{path}::{part}" for part in self.sources[path].parts))]
        return {name for name in names if ALL_GAMES in self.part_of(name).calls}

    def part_of(self, name: str) -> Part:
        path, _, inside = name.partition("::")
        return self.sources[path].parts[inside] if inside else self.sources[path].top

    def names_of(self, path: str) -> tuple[set[str], set[str]]:
        """Words that may name a game, and those that may name a question."""
        if path in self.snapshots:
            return set(), set()
        if path not in self.names:
            self.names[path] = self.names_in(path)
        return self.names[path]

    def names_in(self, path: str) -> tuple[set[str], set[str]]:
        if path in self.sources:
            parts = [self.sources[path].top, *self.sources[path].parts.values()]
            calls = set().union(*(part.calls for part in parts))
            words, asked = (set().union(*(getattr(part, what) for part in parts)) for what in ("words", "asked"))
            if not any(
                name == PACKAGE or name.startswith(f"{PACKAGE}.api") for name in self.sources[path].local.values()
            ):
                calls = {name for name in calls if name.endswith(QUESTION) or name == ALL_QUESTIONS}
            return words | calls, asked | calls
        try:
            text = (ROOT / path).read_text(encoding="utf-8")
        except (UnicodeDecodeError, FileNotFoundError):
            return set(), set()
        return set(WORD.findall(text)), commands_in(text)


def grouped(paths: Iterable[str], key: Callable[[str], str]) -> dict[str, set[str]]:
    groups: dict[str, set[str]] = {}
    for path in paths:
        groups.setdefault(key(path), set()).add(path)
    return groups


def nearest(path: str, coded: set[str]) -> str:
    """The nearest folder above that holds code."""
    folder = path.rpartition("/")[0]
    while folder not in coded:
        folder = folder.rpartition("/")[0]
    return folder


def git(*words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def tracked() -> set[str]:
    files = {*git("ls-files"), *git("ls-files", "--others", "--exclude-standard")}
    return {path for path in files if not (ROOT / path).is_dir()}  # `.package/bartizan` is a link to this folder


def changed_since(base: str) -> set[str]:
    """Files that differ from where this branch left `base`, new ones too."""
    fork = git("merge-base", base, "HEAD")[0]
    return {*git("diff", "--name-only", "--no-renames", fork), *git("ls-files", "--others", "--exclude-standard")}


def concerned(changed: set[str]) -> list[str]:
    """The test files that reach one of these files."""
    graph = Graph(tracked() | changed)
    tests = [path for path in graph.sources if re.fullmatch(r"tests/(.+/)?test_\w+\.py", path)]
    if changed & EVERYTHING:
        return tests
    return [test for test in tests if test.startswith(ALWAYS) or graph.reached(test) & changed]


def main(base: str = "") -> None:
    bases = [base] if base else [name for name in BASES if git("branch", "--all", "--list", name, f"remotes/{name}")]
    print("\n".join(concerned(changed_since(bases[0] if bases else "HEAD"))))


if __name__ == "__main__":
    main(*sys.argv[1:])
