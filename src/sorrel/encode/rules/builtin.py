"""The rules that come with Sorrel, each a file beside this one."""

from __future__ import annotations

from functools import cache
from importlib import resources

from sorrel.encode.rules.reading import read_rule
from sorrel.encode.rules.rule import Rule
from sorrel.model.errors import UsageError


@cache
def builtin_rules() -> tuple[Rule, ...]:
    files = sorted(resources.files(__package__).iterdir(), key=lambda file: file.name)
    return tuple(
        read_rule(file.read_text(encoding="utf-8"), file.name) for file in files if file.name.endswith(".rule")
    )


def rule_for(text: str, file: str = "") -> Rule:
    """The rule of a text, or the built-in one of that name if there is no file."""
    return read_rule(text, file) if file else builtin_rule(text)


def builtin_rule(name: str) -> Rule:
    for rule in builtin_rules():
        if rule.name == name:
            return rule
    known = ", ".join(rule.name for rule in builtin_rules())
    raise UsageError(f"there is no rule {name}; there are: {known}, or a file (.rule)")
