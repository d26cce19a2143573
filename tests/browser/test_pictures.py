"""The pictures of a page in a real browser: each number by pointer and by key, its table without a script."""

import pytest

from tests import specimen
from tests.browser.chromium import visit


@pytest.fixture(scope="module")
def page(chromium, tmp_path_factory):
    with visit(chromium, specimen.write(tmp_path_factory.mktemp("pictures") / "page.html")) as seen:
        yield seen.page


@pytest.fixture(autouse=True)
def nothing_is_shown(page):
    """Whatever the test before has left."""
    page.mouse.move(0, 0)
    page.locator("figure > svg").first.press("Escape")


def test_arrow_keys_go_from_number_to_number(page):
    picture, tip = page.locator("figure > svg").first, page.locator(".tip")
    picture.focus()
    assert tip.is_hidden()
    said = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "End"):
        picture.press(key)
        said.append(tip.text_content())
    assert said[0].startswith("policy: clear 42 %") and said[0] == said[2] != said[1] == said[3]
    picture.press("Escape")
    assert tip.is_hidden()


def test_the_pointer_shows_the_nearest_number(page):
    picture = page.locator("figure > svg").nth(3)
    picture.scroll_into_view_if_needed()
    picture.locator(".m").first.hover()
    assert "40" in page.locator(".tip").text_content()


def test_a_picked_colour_stands_in_front(page):
    picture = page.locator("figure > svg").nth(3)
    picture.locator(".m").first.click()
    assert picture.locator(".dim").count() == 1
    picture.press("Escape")
    assert picture.locator(".dim").count() == 0


def test_the_table_of_a_picture_opens_by_key(page):
    figure = page.locator("figure", has=page.locator("svg")).first
    figure.locator("summary").press("Enter")
    assert figure.locator("tbody tr").count() == figure.locator(".m").count() == 2
    assert "39–45" in figure.locator("tbody").text_content()
