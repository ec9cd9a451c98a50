"""The recipes of docs/extending.md: their titles, and the places that each tells to touch."""

from __future__ import annotations

import re

from folders import ROOT

_PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
RECIPES = {title: body for title, _, body in (part.partition("\n") for part in _PAGE.split("\n## ")[1:])}


def places(recipe: str) -> list[str]:
    return re.findall(r"^\d\. `([^`]+)`", recipe, flags=re.MULTILINE)
