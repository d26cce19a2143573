"""The templates of pages."""

from pathlib import Path

import jinja2

FOLDER = Path(__file__).parent.parent.parent / "templates"


def render(name: str, **parts) -> str:
    return with_arrows(environment().get_template(name).render(**parts))


def environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )


def with_arrows(text: str) -> str:
    """A page has the arrow that a terminal may lack."""
    return text.replace(" -&gt; ", " → ")
