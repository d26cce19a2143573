"""Find the packages to install. Everything else is in pyproject.toml.

This folder is the package `bartizan` itself, so setuptools finds the folders in it without that prefix.
"""

from setuptools import find_packages, setup

NOT_INSTALLED = ("benchmarks*", "docs*", "examples*", "tests*")

setup(
    script_name="setup.py",  # so that this file is no module of the package
    packages=["bartizan", *(f"bartizan.{name}" for name in find_packages(exclude=NOT_INSTALLED))],
)
