"""A real browser: the system's Chromium, driven by Playwright. Where there is none, these tests are skipped."""

import shutil

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="session")
def chromium():
    """One browser for all tests; each opens a context of its own."""
    if CHROMIUM is None:
        pytest.skip("no Chromium here: install chromium (or google-chrome) for the tests in a browser")
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: pip install playwright"
    )
    with playwright.sync_playwright() as found:
        browser = found.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()
