"""A real browser: the system's Chromium, driven by Playwright. Where there is none, these tests are skipped."""

import pytest

from tests.browser.chromium import program


@pytest.fixture(scope="session")
def chromium():
    """One browser for all tests of a process, which can drive only one; each test opens a context of its own."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
    path = program()
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()
