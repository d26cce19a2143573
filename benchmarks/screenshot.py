"""Write the first screen of a page as a PNG: `python benchmarks/screenshot.py PAGE.html FILE.png`.

`make sample` uses it for the picture in the README. It needs Chromium.
"""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

WIDTH, HEIGHT = 1100, 712  # CSS pixels; the picture ends between two lines of the report
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def screenshot(page: Path, file: Path) -> None:
    browser_path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser_path is None:
        sys.exit("Chromium not found: install chromium or google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path, args=["--no-sandbox", "--disable-gpu"]
        )
        tab = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        tab.goto(page.resolve().as_uri())
        tab.screenshot(path=file)
        browser.close()


if __name__ == "__main__":
    screenshot(Path(sys.argv[1]), Path(sys.argv[2]))
