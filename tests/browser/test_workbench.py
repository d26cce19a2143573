"""The workbench in a real browser, with Pig."""

import json
import re
import shlex
import threading
import time
from contextlib import contextmanager
from urllib.parse import unquote, urlsplit

import pytest

pytest.importorskip("starlette", reason="the extra `workbench` is not installed")
pytest.importorskip("uvicorn", reason="the extra `workbench` is not installed")

import bartizan as bz
from bartizan.workbench import live, playing
from bartizan.workbench.command import open_workbench
from bartizan.workbench.live import CachedGames
from bartizan.workbench.questions import PageWatch
from tests.cli.run_cli import PIG, ROOT, bartizan

PATIENT = 120_000  # milliseconds: code may have to be compiled first, on a busy machine


@pytest.fixture(scope="module")
def bench():
    with served(PIG) as found:
        yield found


@contextmanager
def served(game):
    """A workbench that is served by a thread of this process."""
    import uvicorn

    found = open_workbench([game])
    server = uvicorn.Server(uvicorn.Config(found.app, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, args=([found.where],), daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        thread.join(0.02)
    yield found
    server.should_exit = True
    thread.join(10)


@pytest.fixture(scope="module")
def errors():
    return []


@pytest.fixture(scope="module")
def tab(chromium, bench, errors):
    """One tab for all tests that need only one: for each tab, Chromium starts a process."""
    context = chromium.new_context()
    yield opened(context, bench.address, errors, wait=False)
    context.close()


@pytest.fixture
def page(tab, bench, errors):
    """The page as it opens: Pig, the published game. It may ask this machine alone, and must not complain."""
    errors.clear()
    tab.set_viewport_size({"width": 1280, "height": 900})
    tab.goto(bench.address)
    fresh(tab)
    yield tab
    tab.evaluate("sessionStorage.clear()")
    tab.goto(f"{bench.address.partition('?')[0]}controls.js")  # of the same process, and asks for no games
    tab.emulate_media(color_scheme="light")
    assert errors == []


def opened(context, address, errors, wait=True):
    page = context.new_page()
    page.set_default_timeout(PATIENT)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "console",
        lambda message: errors.append(message.text) if message.type == "error" and "400" not in message.text else None,
    )
    page.on(
        "request",
        lambda request: (
            errors.append(request.url) if not request.url.startswith(("http://127.0.0.1:", "blob:")) else None
        ),
    )
    page.goto(address)
    if wait:
        fresh(page)
    return page


def fresh(page):
    page.wait_for_selector("#results[data-stale=false] .measure .big")


def move(page, value, path="goal.points"):
    """Move a slider, as a drag does: it tells of every step; returns seconds until new figures stand there."""
    page.locator(f"[data-path='{path}'] input[type=range]").evaluate(
        "(slider, to) => { slider.value = to; slider.dispatchEvent(new Event('input', { bubbles: true })); }",
        str(value),
    )
    since = time.perf_counter()
    fresh(page)
    return time.perf_counter() - since


def rate(page, name="First wins"):
    """(estimate, low, high, games) of what the page shows, in percent."""
    text = page.inner_text(f".measure[data-name='{name}'] .big").replace("\xa0", " ")
    estimate, low, high, games = re.match(r"([\d.]+) %\s+([\d.]+)–([\d.]+) %.*?([\d,]+) games", text).groups()
    return float(estimate), float(low), float(high), int(games.replace(",", ""))


def rested(page):
    page.wait_for_selector("#more:not([hidden])")


@pytest.fixture
def short(monkeypatch):
    """It rests after 3,000 games."""
    monkeypatch.setattr(live, "MOST", 3000)


# ---------------------------------------------------------------- move a number


def test_a_moved_number_changes_the_win_rate_and_the_interval_narrows(page, short, record_property):
    before = rate(page)
    record_property("seconds until new figures", move(page, 10))
    first = rate(page)
    rested(page)
    last = rate(page)
    assert last[3] == 3000 >= first[3] and last[2] - last[1] <= first[2] - first[1]
    assert last[0] > before[0] + 5  # to 10 points who begins wins far more often
    assert page.inner_text("#changed").startswith("a goal of 100 points → a goal of 10 points")


def test_the_pinned_difference_holds_what_compare_says_of_100000_games(page, short):
    move(page, 10)
    rested(page)
    text = page.inner_text(".measure[data-name='First wins'] .against").replace("\xa0", " ").replace("−", "-")
    estimate, low, high = map(
        float,
        re.match(
            r"([+-][\d.]+) pp\s+\(([+-][\d.]+) to ([+-][\d.]+) pp; more; 3,000 games\) against the edition", text
        ).groups(),
    )
    found = bz.game(PIG).compare(change={"goal.points": 10}, games=100_000, seed=4).effects[0].difference.estimate * 100
    assert estimate > 0 and low <= found <= high


def test_no_figure_of_the_setting_before_looks_like_one_of_this(page, short, monkeypatch):
    """Played slowly: from the movement until the first new figures all that stands there is greyed and said to
    be old.
    """
    play = CachedGames.play_to

    def slowly(self, games):
        time.sleep(0.3)
        play(self, games)

    monkeypatch.setattr(CachedGames, "play_to", slowly)
    seen = page.evaluate("""() => new Promise((done) => {
        const slider = document.querySelector("[data-path='goal.points'] input[type=range]");
        const old = document.querySelector(".measure .big").textContent;
        const rows = [];
        slider.value = 17;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        const look = () => {
            const main = document.getElementById("results");
            const text = document.querySelector(".measure .big").textContent;
            const opacity = Number(getComputedStyle(document.querySelector(".measure")).opacity);
            const [note, copy] = ["old", "copy-run"].map((id) => document.getElementById(id));
            rows.push([main.dataset.stale, text === old, opacity, note.hidden, copy.disabled]);
            if (main.dataset.stale === "false" || rows.length > 4000) done(rows); else requestAnimationFrame(look);
        };
        look();
    })""")
    *before, after = seen
    assert len(before) > 5 and all(row == ["true", True, pytest.approx(0.38, abs=0.02), False, True] for row in before)
    assert after[0] == "false" and after[1] is False and after[2] == 1 and after[3] is True and after[4] is False


def test_undo_takes_back_a_whole_movement_and_redo_brings_it_again(page, short):
    for value in (90, 80, 70):
        move(page, value)
    assert "70 points" in page.inner_text("#changed")
    page.click("#undo")
    page.wait_for_selector("#changed li", state="detached")
    assert page.input_value("[id='value-goal.points']") == "100"
    page.click("#redo")
    page.wait_for_selector("#changed li")
    assert page.input_value("[id='value-goal.points']") == "70"


def test_a_change_is_switched_off_and_on_and_dropped(page, short):
    move(page, 50)
    page.uncheck("#changed input")
    fresh(page)
    assert page.input_value("[id='value-goal.points']") == "100" and page.locator("#changed li.off").count() == 1
    page.check("#changed input")
    fresh(page)
    assert page.input_value("[id='value-goal.points']") == "50"
    page.click("#changed button")
    page.wait_for_selector("#changed li", state="detached")


def test_what_cannot_be_played_says_why_in_one_line(page, short):
    page.fill("[id='value-dice.loses_on']", "9")
    page.wait_for_selector("#said:not(:empty)")
    assert "no face 9 on a die of 6 sides" in page.inner_text("#said")
    assert page.get_attribute("#results", "data-stale") == "true"
    page.fill("[id='value-dice.loses_on']", "2")
    fresh(page)
    page.wait_for_selector("#said:empty", state="attached")


def test_a_target_is_judged(page, short):
    page.fill("#low", "20")
    page.fill("#high", "90")
    page.wait_for_selector("#verdict .PASS")
    page.fill("#low", "70")
    page.wait_for_selector("#verdict .FAIL")
    assert page.locator("svg.strip rect.band").count() == 2


def test_players_are_chosen_by_the_dial(page, short):
    before = rate(page)[0]
    dial = page.locator("#seat-first-dial")
    dial.focus()
    dial.press("Home")
    dial.press("Tab")
    page.wait_for_selector("#seat-first-dial + output:has-text('plays at random')")
    fresh(page)
    rested(page)
    assert rate(page)[0] < before - 20


def test_a_player_has_other_weights(page, short):
    other = page.locator("#seat-first-other")
    assert other.get_attribute("placeholder").startswith("hold:at=")
    other.fill("hold:at=3")
    other.press("Tab")
    fresh(page)
    rested(page)
    assert page.input_value("#seat-first") == "hold:at=3" and "hold:at=3" in page.inner_text("#command")
    assert rate(page)[0] < 45


# ---------------------------------------------------------------- the picture, what was tried


def test_the_picture_shows_before_and_after(page, short):
    rested(page)
    before = rate(page)[0]
    assert page.locator("tr[data-name='First wins'] circle").count() == 1
    move(page, 10)
    row = page.locator("tr[data-name='First wins']")
    now, ghost, left = (
        float(row.locator(f"circle.{kind}").get_attribute("cx").rstrip("%")) for kind in ("now", "ghost", "before")
    )
    assert now > ghost + 5 and left == pytest.approx(2 + 0.96 * before, abs=0.2)
    rested(page)
    assert f"{rate(page)[0]:g}" in page.inner_text("#sentence") and "against the edition" in page.inner_text(
        "#sentence"
    )


def test_a_slider_that_never_rests_is_answered_on_its_way(page, short):
    """A movement every 40 ms for three seconds: the picture answers, and nothing else calls such an answer
    that of now.
    """
    seen = page.evaluate("""() => new Promise((done) => {
        const slider = document.querySelector("[data-path='goal.points'] input[type=range]");
        const answers = new Set();
        let step = 0, wrong = 0;
        const timer = setInterval(() => {
            slider.value = 20 + (step += 1);
            slider.dispatchEvent(new Event("input", { bubbles: true }));
            const picture = document.getElementById("picture");
            const now = document.querySelector("tr[data-name='First wins'] circle.now");
            if (picture.classList.contains("moving")) answers.add(now.getAttribute("cx"));
            const [results, copy] = ["results", "copy-run"].map((id) => document.getElementById(id));
            if (results.dataset.stale !== "true" || !copy.disabled) wrong += 1;
            if (step === 75) { clearInterval(timer); done([answers.size, wrong]); }
        }, 40);
    })""")
    assert seen[0] >= 2 and seen[1] == 0
    fresh(page)
    assert page.locator("#picture.moving").count() == 0 and "95 points" in page.inner_text("#changed")


def test_what_was_tried_is_kept_named_compared_with_and_gone_back_to(page, short):
    move(page, 50)
    rested(page)
    page.click("#reset")
    fresh(page)
    assert page.locator("#cards li").count() == 2
    card = page.locator("#cards li", has=page.locator("svg[aria-label*='50 points']"))
    card.locator("input").fill("Short game")
    card.locator("input").press("Tab")
    page.click("button[aria-label='Compare: Short game']")
    fresh(page)
    assert "against “Short game”" in page.inner_text("tr[data-name='First wins'] .against")
    page.click("button[aria-label='Restore: Short game']")
    fresh(page)
    assert page.input_value("[id='value-goal.points']") == "50"
    page.reload()
    fresh(page)
    assert page.input_value("#cards li.pinned input") == "Short game"
    page.click("button[aria-label='Delete: Short game']")
    assert page.locator("#cards li input").evaluate_all("all => all.map(one => one.value)") == ["Original edition"]


def test_who_measures_finds_the_values_that_move_it_most_first(page, short, monkeypatch):
    monkeypatch.setattr("bartizan.workbench.questions.GUESS_GAMES", 200)
    assert page.inner_text("#values-title") == "All values" and page.locator("#most .value").count() == 3
    page.fill("#search", page.get_attribute("#search", "placeholder").partition(", ")[0])
    assert re.match("[1-9].* match(es)?[.]", page.inner_text("#found")), "the example is one of this game"
    page.fill("#search", "")
    assert asked(page, "moves") == "Finished."
    assert page.inner_text("#values-title") == "Most influential values"
    assert " → " in page.inner_text("#most .value:first-child b") and "200 games each" in page.inner_text("#measured")
    fresh(page)


def test_a_compilation_says_what_it_took_last_time_and_the_page_is_not_blank(
    bench, chromium, errors, short, monkeypatch
):
    prepare = live.Live.prepare
    monkeypatch.setattr(live.Live, "prepare", lambda self: (time.sleep(2), prepare(self)))
    monkeypatch.setattr(
        playing,
        "compilation_document",
        lambda compilation: {**compilation.state(), "first": True, "last": {"seconds": 40, "functions": 90}},
    )
    context = chromium.new_context()
    page = opened(context, bench.address, errors, wait=False)
    page.wait_for_selector("#compiling:not([hidden])")
    assert "last time it took 40 s and 90 functions" in page.inner_text("#compiling-text")
    assert page.locator("#picture tr.measure").count() == 2 and page.locator("#most .value").count() == 3
    fresh(page)
    assert page.locator("#compiling").is_hidden()
    context.close()


# ---------------------------------------------------------------- take along


def test_a_link_brings_the_page_back(page, bench, chromium, errors, short):
    move(page, 40)
    page.fill("#low", "30")
    page.fill("#high", "60")
    page.wait_for_selector("#verdict b")
    state = urlsplit(page.url).fragment
    context = chromium.new_context()
    again = opened(context, f"{bench.address}#{state}", errors)
    assert again.input_value("[id='value-goal.points']") == "40" and again.input_value("#low") == "30"
    assert "token" not in again.url
    context.close()


def test_the_copied_command_gives_the_same_figure(page, short):
    move(page, 40)
    rested(page)
    run, compare = page.inner_text("#command").splitlines()
    found = bartizan(*shlex.split(run)[1:], "--json").json
    estimate, low, high, games = rate(page)
    assert found["games"] == games == 3000 and abs(found["win_rate"]["estimate"] * 100 - estimate) <= 0.5
    assert low - 0.5 <= found["win_rate"]["estimate"] * 100 <= high + 0.5
    both = bartizan(*shlex.split(compare)[1:], "--json").json
    shown = page.inner_text(".measure[data-name='First wins'] .against").replace("−", "-")
    assert both["n"] == 3000
    assert abs(both["difference"]["estimate"] * 100 - float(shown.split()[0])) <= 0.06, both["difference"]


def test_a_saved_scenario_plays_on_the_command_line(page, short, tmp_path):
    move(page, 40)
    with page.expect_download() as download:
        page.click("#save button")
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert path.name == "my-edition.toml"
    assert bartizan("run", PIG, "--scenario", path, "--games", 50, "--json").json["changes"][0]["to"] == 40


# ---------------------------------------------------------------- who else is there


def test_an_edited_game_is_shown_as_it_is(chromium, errors, short, kept_path):
    file = kept_path / "pig.py"
    text = (ROOT / "examples/short/pig.py").read_text(encoding="utf-8")
    file.write_text(text, encoding="utf-8")
    with served(str(file)) as found:
        context = chromium.new_context()
        page = opened(context, found.address, errors)
        file.write_text(text.replace("goal = Number(100", "goal = Number(60"), encoding="utf-8")
        page.fill("[id='value-numbers.goal']", "90")
        page.wait_for_selector("#said:has-text('files were edited')")
        page.wait_for_selector("#changed li:has-text('60')")
        assert "90" in page.inner_text("#changed li")
        assert "Measured before the game's files were edited." in page.inner_text("#cards li")
        assert page.is_disabled("button[aria-label='Compare: Original edition']")
        context.close()
    assert errors == []


def test_two_tabs_keep_to_themselves(page, bench, errors, short):
    other = opened(page.context, bench.address, errors)
    move(page, 10)
    move(other, 60)
    rested(page), rested(other)
    assert "10 points" in page.inner_text("#changed") and "60 points" in other.inner_text("#changed")
    assert rate(page)[0] > rate(other)[0] + 3
    other.close()


def test_a_closed_tab_plays_no_more(bench, chromium, errors, monkeypatch, record_property):
    monkeypatch.setattr(live, "MOST", 10_000_000)
    monkeypatch.setattr(live, "LARGEST_BATCH", 256)
    played = []
    play = CachedGames.play_to
    monkeypatch.setattr(
        CachedGames, "play_to", lambda self, games: (play(self, games), played.append(time.perf_counter()))
    )
    context = chromium.new_context()
    page = opened(context, bench.address, errors)
    move(page, 33)
    closed = time.perf_counter()
    context.close()
    while time.perf_counter() < max(played) + 3:  # three seconds without a batch
        assert time.perf_counter() < closed + 60, "it plays on without a page"
        time.sleep(0.1)
    record_property("seconds until it rests", max(played) - closed)


def test_another_site_cannot_ask(page, bench, chromium):
    """A page of another origin in the same browser: it may not read, and its requests are refused."""
    other = page.context.new_page()
    other.route("http://evil.example/", lambda route: route.fulfill(body="<p>evil</p>", content_type="text/html"))
    other.goto("http://evil.example/")
    port = bench.port
    said = other.evaluate(
        """async (url) => {
            const tries = [
                { method: "POST", body: "{}" },
                { method: "POST", mode: "no-cors", credentials: "include", body: "{}" },
                { credentials: "include" },
            ];
            const told = (answer) => answer.type === "opaque" ? "opaque" : `read ${answer.status}`;
            return Promise.all(tries.map((how) => fetch(url, how).then(told, () => "refused")));
        }""",
        f"http://127.0.0.1:{port}/games",
    )
    assert said[0] == "refused" and said[2] == "refused" and said[1] in ("opaque", "refused")
    context = chromium.new_context()
    bare = context.new_page()
    assert bare.goto(f"http://127.0.0.1:{port}/").status == 403
    context.close()
    other.close()


# ---------------------------------------------------------------- for everybody


def test_axe_finds_nothing_serious(page, short):
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed"
    ).Axe()
    move(page, 40)
    rested(page)
    page.wait_for_selector("#pictures figure")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]
        serious = [
            (one["id"], [node["html"][:120] for node in one["nodes"]][:3])
            for one in found
            if one["impact"] in ("serious", "critical")
        ]
        assert serious == [], f"{scheme}: {json.dumps(serious, indent=1)}"


def test_nothing_runs_out_of_the_window(page, short):
    move(page, 40)
    rested(page)
    page.wait_for_selector("#pictures figure")
    for width in (1280, 390, 320):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if width < 861:
            page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
            box = page.locator("#strip").bounding_box()
            assert 0 < box["y"] < box["y"] + box["height"] <= 800 and "First wins" in page.inner_text("#strip")


# ---------------------------------------------------------------- ask more


def asked(page, kind):
    page.click(f".question[data-kind={kind}]")
    page.wait_for_selector("#question-progress", state="hidden")
    return page.inner_text("#question-state")


def test_a_game_is_watched_on_a_page_of_its_own_that_reaches_nothing(page, short):
    move(page, 30)
    page.fill("#number", "2")
    assert asked(page, "watch") == "Finished."
    assert page.locator("#question-lines").is_hidden()  # a path of this machine says nothing to a designer
    with page.context.expect_page() as found:
        page.click("#question-page a:first-child")
    shown = found.value
    shown.wait_for_selector("h1")
    assert "30 points" in shown.inner_text("h1") and shown.evaluate("origin") == "null"
    shown.close()
    fresh(page)


def test_a_decision_of_the_watched_game_is_asked_about(page, short):
    assert asked(page, "watch") == "Finished."
    watched = page.frame_locator("#question-watch iframe")
    watched.locator("button[data-go=next]").click()
    watched.locator("#odds summary").click()
    watched.locator("#odds [data-ask]").click()
    page.wait_for_selector("#question-lines", state="visible")
    assert "decision 1 " in page.inner_text("#question-lines").splitlines()[0]
    assert page.locator("#question-watch iframe").is_visible()
    fresh(page)


def searched(page, band, ends):
    """Ask which goal hits a band of win rates, and wait for the answer."""
    page.select_option("#knob", "goal.points")
    for field, value in zip(("#low", "#high", "#from", "#to"), (*band, *ends), strict=True):
        page.fill(field, value)
    assert asked(page, "hit") == "Finished."


def test_the_value_that_hits_the_target_is_found_and_taken(page, short, monkeypatch):
    monkeypatch.setattr("bartizan.workbench.questions.TUNE_GAMES", 4000)
    searched(page, band=("57", "75"), ends=("10", "60"))
    assert page.inner_text("#question-page button").startswith("Use this value: ")
    page.click("#question-page button")
    fresh(page)
    assert 10 <= int(page.input_value("[id='value-goal.points']")) <= 60
    rested(page)
    assert 57 <= rate(page)[0] <= 75


def test_a_target_out_of_reach_is_not_said_to_be_hit(page, short, monkeypatch):
    monkeypatch.setattr("bartizan.workbench.questions.TUNE_GAMES", 1000)
    searched(page, band=("1", "2"), ends=("10", "14"))
    assert page.inner_text("#question-page button").startswith("Use the nearest value: ")


def test_a_question_that_cannot_be_asked_says_why(page, short):
    assert "nothing to vary" in asked(page, "guesses")
    page.fill("#low", "")
    assert asked(page, "hit") == "target: set a target band first"
    fresh(page)


def test_a_question_is_stopped(page, short, monkeypatch):
    seen = []
    made = PageWatch.__init__
    monkeypatch.setattr(PageWatch, "__init__", lambda self: (made(self), seen.append(self))[0])
    monkeypatch.setattr("bartizan.workbench.questions.NEWCOMER_GAMES", 10_000_000)
    page.click(".question[data-kind=newcomer]")
    page.wait_for_selector("#question-state:has-text('games')")
    page.click("#question-end")
    page.wait_for_selector("#question-state:has-text('Stopped.')")
    (watch,) = seen
    time.sleep(2)  # the command hears of it at its next chunk
    done = watch.done
    time.sleep(2)
    assert watch.ended.is_set() and watch.done == done < watch.total
    fresh(page)


def test_the_report_is_made(page, short, monkeypatch):
    monkeypatch.setattr("bartizan.workbench.questions.SWEEP_GAMES", 300)
    move(page, 30)
    assert asked(page, "report") == "Finished."
    with page.context.expect_page() as found:
        page.click("#question-page a:first-child")
    assert "goal of 30 points" in found.value.inner_text("h1")
    found.value.close()


# ---------------------------------------------------------------- what is pressed while games are played


@pytest.fixture(scope="module")
def levels():
    """The page of a game with two levels."""
    with served(str(ROOT / "tests/games/two_levels.py")) as found:
        yield found


@pytest.fixture
def endless(monkeypatch):
    monkeypatch.setattr(live, "MOST", 50_000_000)
    monkeypatch.setattr(live, "GAMES_KEPT", 10_000)


def level_of(page):
    return json.loads(unquote(urlsplit(page.url).fragment)).get("level")


def opened_levels(chromium, levels, errors):
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page = opened(context, levels.address, errors)
    page.wait_for_selector("#picture button[data-name=hard]")
    page.evaluate(
        """() => { window.figures = 0; new MutationObserver(() => { window.figures += 1; }).observe(document.getElementById("state"), { childList: true, characterData: true, subtree: true }); }"""
    )
    return page


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
@pytest.mark.parametrize("presses", [6, pytest.param(50, marks=pytest.mark.slow)])
def test_every_press_of_a_level_arrives_while_games_are_played(chromium, levels, errors, endless, by, presses):
    """Each is held as long as a hand holds it; figures come in all the while, and the focus stays."""
    page = opened_levels(chromium, levels, errors)
    wanted = ["hard" if press % 2 == 0 else "easy" for press in range(presses)]
    arrived, focus = [], []
    for level in wanted:
        button = page.locator(f"#picture button[data-name={level}]")
        if by == "mouse":
            button.click(delay=110)
        else:
            button.focus()
            page.wait_for_timeout(150)
            page.keyboard.press("Enter", delay=110)
        try:
            pressed = "level => document.querySelector(`#picture button[data-name=${level}]`).ariaPressed === 'true'"
            page.wait_for_function(pressed, arg=level, timeout=5000)
        except Exception:
            continue
        arrived.append(level_of(page))
        focus.append(page.evaluate("document.activeElement.dataset.name ?? document.activeElement.tagName"))
        fresh(page)
    assert arrived == wanted == focus
    assert page.evaluate("window.figures") > presses and errors == []
    page.context.close()


def test_a_screen_reader_hears_what_rests_and_not_every_figure(page, short):
    """Elements that are read aloud as they change, while figures stream and once they rest."""
    page.evaluate("""() => {
        window.spoken = [];
        for (const place of document.querySelectorAll("[role=status], [aria-live]"))
            new MutationObserver(() => {
                if (place.textContent) window.spoken.push([place.id, place.textContent]);
            }).observe(place, { childList: true, characterData: true, subtree: true });
    }""")
    page.fill("#low", "20")
    page.fill("#high", "90")
    move(page, 40)
    rested(page)
    spoken = page.evaluate("window.spoken")
    assert 1 <= len(spoken) <= 4 and {place for place, _ in spoken} == {"spoken"}
    assert "wins" in spoken[-1][1] and "PASS" in spoken[-1][1] and "paused" in spoken[-1][1]


def test_the_dial_of_skill_keeps_the_focus_from_key_to_key(page, short):
    dial = page.locator("#seat-first-dial")
    dial.focus()
    last = int(dial.input_value())
    for step in (1, 2):
        page.keyboard.press("ArrowLeft")
        shows = "wanted => document.getElementById('seat-first-dial').value === wanted"
        page.wait_for_function(shows, arg=str(last - step))
        assert page.evaluate("document.activeElement.id") == "seat-first-dial"
    fresh(page)


def test_an_open_group_of_values_and_the_focus_in_it_outlast_a_redrawing(page, short):
    """As undo, drop and switching a change off draw the values anew; Pig has too few of them for groups."""
    group = """() => import("/controls.js").then(({ replace, made }) => {
        const place = document.getElementById("values");
        const draw = () => {
            const group = made("details", { "data-name": "Dice" }, made("summary", {}, "Dice"));
            group.addEventListener("toggle", () => {
                if (group.open && group.children.length === 1) group.append(made("input", { id: "a-field" }));
            });
            return group;
        };
        place.replaceChildren(draw());
        place.firstChild.open = true;
        place.firstChild.dispatchEvent(new Event("toggle"));
        document.getElementById("a-field").focus();
        replace(place, draw());
        return [place.firstChild.open, document.activeElement.id, place.querySelectorAll("input").length];
    })"""
    assert page.evaluate(group) == [True, "a-field", 1]


def test_what_is_written_into_the_target_is_one_step_of_undo(page, short):
    page.fill("#low", "20")
    page.locator("#high").press_sequentially("90")
    page.wait_for_selector("#verdict .PASS")
    page.click("#undo")
    page.wait_for_function("() => ['low', 'high'].every(id => document.getElementById(id).value === '')")
    assert page.is_disabled("#undo")
    fresh(page)
