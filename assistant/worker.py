"""The process that answers one question after another for the server.

It is isolated from the client, and the output of games is discarded. A game that crashes Python, needs too
much memory or never ends stops only this process, not the server.
"""

import json
import os
import queue
import sys
import threading
from pathlib import Path
from typing import Any

MEMORY = 6 << 30  # bytes of data
LARGEST_FILE = 2 << 30  # bytes


def main() -> None:
    """Read one question per line, and write progress and one reply per question, as lines of JSON.

    Command-line argument: the folder, or "" if there is none.
    """
    folder = Path(sys.argv[1]) if sys.argv[1] else None
    wire = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    _limit()
    lines: queue.Queue[str] = queue.Queue()
    questions = os.fdopen(os.dup(0), encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    threading.Thread(target=_read, args=(questions, lines), daemon=True).start()

    def tell(message: dict[str, Any]) -> None:
        wire.write(json.dumps(message, default=str) + "\n")
        wire.flush()

    from bartizan.simcore.compile import cache

    cache.configure()
    from bartizan.assistant.asking import reply_to

    while True:
        asked = json.loads(lines.get())
        tell(reply_to(asked["tool"], asked["arguments"], Path(asked["place"]), folder, tell))


def _read(questions: Any, lines: "queue.Queue[str]") -> None:
    """Put each question into the queue, and end this process when the server has ended."""
    for line in questions:
        lines.put(line)
    os._exit(0)


def _limit() -> None:
    """Limit memory and file size, if the operating system supports this."""
    try:
        import resource
    except ImportError:
        return
    for kind, most in ((resource.RLIMIT_DATA, MEMORY), (resource.RLIMIT_FSIZE, LARGEST_FILE)):
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (most if hard < 0 else min(most, hard), hard))
