"""Which of the two Horn dialects a file is written in; z3 answers opposite questions in them."""

from __future__ import annotations

import re

_TOKEN = re.compile(r'"[^"]*"|\|[^|]*\||;[^\n]*|\(|\)')
_RULE_COMMAND = re.compile(r"\s*(?:rule|query|declare-rel)(?=[\s()])")


def is_rule_dialect(text: str) -> bool:
    """Whether the file uses `declare-rel`, `rule` or `query` as commands.

    Only the head of a top-level form counts: predicates are called `query` in files of the other dialect.
    """
    depth = 0
    for token in _TOKEN.finditer(text):
        if token.group() == "(":
            if depth == 0 and _RULE_COMMAND.match(text, token.end()):
                return True
            depth += 1
        elif token.group() == ")":
            depth -= 1
    return False
