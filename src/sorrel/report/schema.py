"""The published schema of `--json`: `python -m sorrel.report.schema` prints what docs/schema/outcome.json holds."""

from __future__ import annotations

import json

from sorrel.model.outcome import Outcome
from sorrel.model.plain import schema

ADDRESS = "https://sorrel.example/schema/outcome.json"


def outcome_schema() -> str:
    return json.dumps(schema(Outcome, ADDRESS), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(outcome_schema(), end="")
