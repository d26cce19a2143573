"""What mypy says of calls of `import bartizan`: it names wrong ones, and nothing in the examples of docs/python.md.

`make lint` runs `python -m tests.typed` after mypy, whose cache it finds.
"""

import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from mypy import api

ROOT = Path(__file__).parent.parent
ASKS = """
import bartizan as bz
answer = bz.game("itter").losses(games=500, pilot=3)
answer.exit_code
bz.game("itter").losses(gams=500)  # wrong
bz.game("itter").losses(games="many")  # wrong
bz.game("colditz").odds.appel()  # wrong
bz.merge(["a"], "b", "c")  # wrong
for line in bz.check("pig.py"):
    line.strip()
"""


def main() -> int:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/python.md").read_text(encoding="utf-8"), re.S)
    with TemporaryDirectory() as folder:
        asks, documented = Path(folder) / "asks.py", Path(folder) / "documented.py"
        asks.write_text(ASKS, encoding="utf-8")
        documented.write_text("\n".join(blocks), encoding="utf-8")
        found = api.run(["--config-file", str(ROOT / "pyproject.toml"), str(asks), str(documented)])[0]
    errors = [line for line in found.splitlines() if "error:" in line]
    named = [(Path(line.split(":")[0]).name, int(line.split(":")[1])) for line in errors]
    wrong = [(asks.name, n) for n, line in enumerate(ASKS.splitlines(), 1) if line.endswith("# wrong")]
    if blocks and named == wrong and 'Unexpected keyword argument "gams"' in errors[0]:
        return 0
    print(found)
    return 1


if __name__ == "__main__":
    sys.exit(main())
