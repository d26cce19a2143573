"""Measures of every kind of page: add one here, and every page and format has it."""

from bartizan.reports.pages.parts.measure import PageMeasure
from bartizan.reports.pages.parts.recorded import Recorded

EVERYWHERE: tuple[PageMeasure, ...] = (Recorded(),)
