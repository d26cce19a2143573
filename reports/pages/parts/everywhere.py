"""Measures of every kind of page; a measure added here is in every page and format."""

from bartizan.reports.pages.parts.measure import PageMeasure
from bartizan.reports.pages.parts.recorded import Recorded

EVERYWHERE: tuple[PageMeasure, ...] = (Recorded(),)
