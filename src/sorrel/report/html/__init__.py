"""The report: one HTML file that needs nothing else, made from outcomes alone."""

from __future__ import annotations

from sorrel.report.html.page import page

__all__ = ["page"]
