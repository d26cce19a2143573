"""Node for tests: a version that runs TypeScript as it is, which comes with Playwright."""

from pathlib import Path

from playwright._impl._driver import compute_driver_executable

NODE = Path(compute_driver_executable()[0])
