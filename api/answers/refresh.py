"""Fetch the card sheets that a game file links to (`check --refresh`), or one sheet (`new --from`)."""

import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPMessage
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import file_digest, updating, whole, writing
from bartizan.simcore.game import load_module
from bartizan.simcore.sheets import read_cells
from bartizan.simcore.short.components import Deck
from bartizan.simcore.short.linked_sheet import is_as_fetched, keep_record

SCHEMES = ("https",)
LARGEST = 16 * 2**20  # bytes of a sheet
PATIENCE = 20  # seconds without an answer
PIECE = 2**16  # bytes
GOOGLE = re.compile(r"(https://docs\.google\.com/spreadsheets/d/[\w-]+)/(?:edit|view|htmlview)\b(.*)")
PUBLISHED = re.compile(r"(https://docs\.google\.com/spreadsheets/d/e/[\w-]+)/pubhtml\b(.*)")


def refresh(game: Path) -> Iterator[str]:
    """Fetch every sheet to which a game file links, and yield a line for each.

    Raises UsageError if no deck has a link, if a file has two, and for a sheet that cannot be fetched; the
    existing file is then kept.
    """
    path = game.resolve()
    decks = [deck for deck in vars(load_module(path, "game")).values() if isinstance(deck, Deck)]
    links: dict[Path, str] = {}
    for deck in decks:
        if deck.link and isinstance(deck.kinds, str):
            file = path.parent / deck.kinds
            if links.setdefault(file, deck.link) != deck.link:
                raise UsageError(f"{game}: {deck.kinds} has two links; use a separate file for each")
    if not links:
        raise UsageError(
            f'{game}: no deck has a link; write one: Deck("cards.csv", link="https://...") with the link of '
            "File > Share > Publish to web, as comma-separated values"
        )
    for file, link in links.items():
        yield fetch(link, file)


def fetch(link: str, file: Path) -> str:
    """Fetch a link into a file, and return a line about the result.

    Raises UsageError if the existing file was edited since it was fetched, or was not fetched by Bartizan.
    """
    with updating(file):
        if file.exists() and not is_as_fetched(file):
            raise UsageError(
                f"{file}: not replaced, because it was edited since it was fetched, or Bartizan did not "
                "fetch it; move the file, then fetch again"
            )
        before = file_digest(file) if file.exists() else ""
        with writing(str(file)), whole(file) as temporary:
            temporary.write_bytes(fetched(link))
            _refuse_no_table(temporary, file, link)
        keep_record(file, link)
        if before == (now := file_digest(file)):
            return f"{file.name}: unchanged (sha256 {now[:12]})"
        return f"{file.name}: {'fetched again' if before else 'fetched'} (sha256 {now[:12]})"


def fetched(link: str) -> bytes:
    """Return the content of a link. Raises UsageError, with the reason, for a link that cannot be fetched."""
    link = as_table(link)
    _refuse_other_schemes(link)
    request = urllib.request.Request(link, headers={"User-Agent": "bartizan"})
    data = bytearray()
    try:
        with _OPENER.open(request, timeout=PATIENCE) as answer:
            while piece := answer.read(PIECE):
                data += piece
                if len(data) > LARGEST:
                    raise UsageError(
                        f"{link}: larger than {LARGEST // 2**20} MB; give the link of a smaller sheet"
                    )
    except urllib.error.HTTPError as error:
        shared = error.code in (401, 403, 404, 410)
        advice = "publish the sheet, or share it with everyone" if shared else "try again later"
        raise UsageError(f"{link}: cannot be fetched: {error.code} {error.reason}; {advice}") from error
    except (OSError, ValueError) as error:  # no network, no such host, a certificate, too slow
        reason = getattr(error, "reason", None) or error
        raise UsageError(f"{link}: cannot be fetched: {reason}; check the link and the network") from error
    return bytes(data)


def as_table(link: str) -> str:
    """Return the link of the CSV export for a Google Sheets link; other links are unchanged."""
    if shown := GOOGLE.match(link):
        gid = re.search(r"\bgid=(\d+)", shown[2])
        return f"{shown[1]}/export?format=csv" + (f"&gid={gid[1]}" if gid else "")
    if shown := PUBLISHED.match(link):
        options = shown[2].lstrip("?")
        return f"{shown[1]}/pub?{options + '&' if options else ''}output=csv"
    return link


def _refuse_other_schemes(link: str) -> None:
    parts = urlsplit(link)
    if parts.scheme not in SCHEMES or not parts.hostname:
        raise UsageError(f"{link}: not a valid link; write {' or '.join(SCHEMES)}:// and a host")


def _refuse_no_table(temporary: Path, file: Path, link: str) -> None:
    """Raise UsageError for a page that is not a table, such as a sign-in page.

    The file is renamed while it is read, because its suffix determines the format.
    """
    named = temporary.with_name(f"{temporary.name}{file.suffix}")
    temporary.rename(named)
    try:
        read_cells(named)
    except UsageError as error:
        raise UsageError(f"{link}: {str(error).removeprefix(f'{named}: ')}") from error
    finally:
        named.rename(temporary)


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Handler that follows redirects only to allowed addresses."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        _refuse_other_schemes(newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


_OPENER = urllib.request.build_opener(_Redirects)
