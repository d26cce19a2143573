"""The registry of methods: nothing is printed with an interval that is not in it."""

import json
import re

import pytest

from bartizan.analyses.document import Document
from bartizan.analyses.statistics.intervals import Interval, figure_mark, with_truncated
from bartizan.analyses.statistics.methods import METHODS, Method, methods_of, register
from bartizan.simcore.errors import EngineError
from tests.cli.run_cli import ROOT
from tests.labels import labels_of


@pytest.mark.parametrize("label", ["", "Wald", "wilson", "Wilsons", "of 3 games, Wilson", "Wilson / Wald"])
def test_an_interval_of_a_method_that_is_not_registered_cannot_be_made(label):
    with pytest.raises(ValueError, match="not registered"):
        Interval(0.5, 0.4, 0.6, 0.95, label)


@pytest.mark.parametrize(
    ("label", "names"),
    [
        ("Wilson", ["Wilson"]),
        ("Wilson, bounds over 1,234 truncated games", ["Wilson"]),
        ("Wilson, linearised", ["Wilson, linearised"]),
        ("Clopper-Pearson / Wilson, bounds over 3 truncated games", ["Clopper-Pearson", "Wilson"]),
        ("Student t over 30 replicates", ["Student t over N replicates"]),
        ("4,000 groups drawn", ["N groups drawn"]),
        ("bounds over 3 models of a newcomer", ["bounds over N models"]),
    ],
)
def test_a_label_names_its_methods(label, names):
    assert [method.name for method in methods_of(label)] == names


def test_a_name_is_registered_once():
    for name in ("Wilson", "bounds over N models of a newcomer"):
        with pytest.raises(ValueError, match="twice"):
            register(Method(name, "share", "nobody"))


def test_what_statistics_make_is_registered_and_a_place_is_none():
    assert methods_of(with_truncated(3, 200, 400).method) == (METHODS["Clopper-Pearson"], METHODS["Wilson"])
    assert methods_of(figure_mark(3.0).method)[0].kind == "drawn"


class Kept(Document):
    share: Interval


def test_a_kept_document_is_read_and_a_label_of_nobody_is_one_line():
    kept = {"share": {"estimate": 0.5, "low": 0.4, "high": 0.6, "level": 0.95, "method": "one game"}}
    assert Kept.read(kept).share.method == "one game"
    kept["share"]["method"] = "Wald"
    with pytest.raises(EngineError, match="Wald"):
        Kept.read(kept)


def test_every_label_in_the_documents_that_are_shipped_is_registered():
    paths = sorted(ROOT.glob("simcore/*/scenarios/*.json")) + sorted(ROOT.glob("policies/**/*.json"))
    labels = {label for path in paths for label in labels_of(json.loads(path.read_text(encoding="utf-8")))}
    assert len(labels) > 3 and all(methods_of(label) for label in labels)


def test_every_method_of_an_interval_is_made_somewhere():
    """A method that nothing makes any more is `former`: documents of earlier versions are read, and no page lists it."""
    files = [path for room in ("analyses", "reports") for path in (ROOT / room).rglob("*.py")]
    files = [path for path in files if path.name != "methods.py"]
    product = "\n".join(path.read_text(encoding="utf-8") for path in files if "validation" not in path.parts)
    product = re.sub(r'"\s*\n\s*f?"', "", product)
    for name in (one.name for one in METHODS.values() if one.kind in ("interval", "exact")):
        for part in filter(None, re.split(r", | \(|\)", name)):
            assert re.search(re.sub("N", ".+", re.escape(part)), product), name


def test_former_methods_are_read():
    assert (
        methods_of("order statistics (sample ends)")[0].kind == methods_of("no two values differ")[0].kind == "former"
    )
