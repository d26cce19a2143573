"""`new skill`: copy the packaged texts for assistants to the folders of a project."""

import hashlib
import re
from importlib.metadata import version
from pathlib import Path

from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import write_atomic, writing

ROOT = Path(__file__).parents[2]
TEXTS = ROOT / "assistant/texts"
ELSEWHERE = {name: ROOT / "docs" / name for name in ("short-games.md", "short-cards.md")}
SKILL = ("SKILL.md", "interview.md", *ELSEWHERE)
USUAL = (".claude/skills", ".agents/skills")  # where assistants look, in a project
MARK = re.compile(
    r"\n<!-- bartizan (\S+), sha256 ([0-9a-f]{64}): written by `bartizan (?:skill install|new skill)` -->\n\Z"
)


def text_of(file: str) -> str:
    return ELSEWHERE.get(file, TEXTS / file).read_text(encoding="utf-8")


def install(to: Path | None) -> list[str]:
    """Copy the texts into `TO/bartizan`, or into the standard skill folders in the current directory.

    Returns a line for each folder. Raises UsageError, and writes nothing, if a file there was not written by
    Bartizan or has been changed.
    """
    folders = [to / "bartizan"] if to else [Path(usual) / "bartizan" for usual in USUAL]
    for folder in folders:
        for file in SKILL:
            _check_ours(folder / file)
    for folder in folders:
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            for file in SKILL:
                write_atomic(folder / file, _marked(text_of(file)).encode())
    return [f"{folder}: {', '.join(SKILL)} of bartizan {version('bartizan')}" for folder in folders]


def _marked(text: str) -> str:
    digest = hashlib.sha256(text.encode()).hexdigest()
    mark = f"bartizan {version('bartizan')}, sha256 {digest}: written by `bartizan new skill`"
    return f"{text}\n<!-- {mark} -->\n"


def _check_ours(path: Path) -> None:
    if path.is_symlink():
        raise UsageError(
            f"{path}: is a symbolic link, which Bartizan does not follow; remove it, or choose another folder"
        )
    if not path.exists():
        return
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read ({error}); choose another folder") from error
    found = MARK.search(text)
    if not found or hashlib.sha256(text[: found.start()].encode()).hexdigest() != found[2]:
        raise UsageError(
            f"{path}: was not written by bartizan, or has been changed since then; move it, or choose "
            "another folder "
            "with --to"
        )
