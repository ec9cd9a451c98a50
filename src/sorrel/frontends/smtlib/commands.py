"""The commands of SMT-LIB scripts: which are read, passed on, ignored or refused."""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.frontends.smtlib.formulas import HornCase
from sorrel.logic import sexpr, terms
from sorrel.logic.sexpr import Group, SExpr

IGNORED = frozenset(
    (
        *("set-logic", "set-info", "set-option", "check-sat", "echo"),
        *(
            "get-model",
            "get-info",
            "get-option",
            "get-proof",
            "get-value",
            "get-unsat-core",
            "get-assertions",
        ),
    )
)
PASSED_ON = frozenset(["define-fun", "define-const", "define-sort", "declare-datatypes", "declare-datatype"])
REFUSED = {
    "push": "a file is one system",
    "pop": "a file is one system",
    "reset": "a file is one system",
    "reset-assertions": "a file is one system",
    "check-sat-assuming": "a file is one system",
    "fixedpoint-push": "a file is one system",
    "fixedpoint-pop": "a file is one system",
    "define-fun-rec": "a recursive function is not a relation",
    "define-funs-rec": "a recursive function is not a relation",
    "declare-sort": "values of such a sort cannot be written",
}
DECLARATIONS = {
    "declare-fun": "(declare-fun name (Sort …) Bool)",
    "declare-const": "(declare-const name Sort)",
    "declare-rel": "(declare-rel name (Sort …))",
    "declare-var": "(declare-var name Sort)",
}
INSTEAD = {
    "define-fun-rec": "Write the function as a predicate with one more argument, its result.",
    "define-funs-rec": "Write each function as a predicate with one more argument, its result.",
    "declare-sort": "Use Int, or a datatype, in its place.",
}


def bound_name(item: SExpr) -> str:
    """The name in (name Sort); empty if the item is something else."""
    match item:
        case Group(items=(sexpr.Atom() as name, _)):
            return name.name
    return ""


def end_of(item: SExpr) -> int:
    return item.end if isinstance(item, Group) else item.start + len(item.text)


def argument_names(cases: Sequence[HornCase]) -> dict[str, dict[int, str]]:
    """A name for each argument of each predicate: that of the first variable in its place, heads first.

    Files name variables, not arguments; contracts should speak of the user's variables.
    """
    found: dict[str, dict[int, str]] = {}
    missing: dict[str, list[int]] = {}
    heads = [head for head, _, _ in cases if head]
    for name, arguments in [*heads, *(atom for _, body, _ in cases for atom in body)]:
        positions = missing.setdefault(name, list(range(len(arguments))))
        if not positions:
            continue
        names = found.setdefault(name, {})
        taken = set(names.values())
        for position in positions:
            argument = arguments[position]
            wish = terms.name_of(argument).split("!")[0] if terms.is_variable(argument) else ""
            if wish and wish not in taken:
                names[position] = wish
                taken.add(wish)
        missing[name] = [position for position in positions if position not in names]
    return found
