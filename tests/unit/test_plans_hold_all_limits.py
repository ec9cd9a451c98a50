"""Shares, slices and limits of questions stand in plans (docs/plans.md), and nowhere else in the search."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from folders import ROOT

SOURCES = ROOT / "src" / "sorrel"
LIMITS = {"seconds", "query_seconds", "at_most", "share", "fraction"}
"""Parameters that say how long something may take."""
SUSPECT = re.compile(r"\d\.\d|SECONDS|SHARE|(?:seconds|at_most|share|fraction)=\d")
"""Of texts without any of that none has a limit; the others are parsed."""
TOLD = re.compile(r"SECONDS|SHARE")
"""Names of constants that say the same."""

WHAT_A_CLOCK_IS = ("model",)
REAL_SECONDS = (
    *("bench", "cli", "lsp", "process", "project", "replay", "report", "store"),  # the outer border
    *("evidence", "modular/judging.py", "modular/proving.py"),  # evidence is checked until the deadline
    *("modular/checking.py", "modular/cluster.py", "modular/pool.py"),  # other processes and machines are waited for
    *("explain/compiled.py", "frontends/java/realisation.py"),  # compilers, programs and another solver
    "smt/units.py",  # where planned seconds become units, and how busy the machine is
)
TABLES_OF_STEPS = ("methods/schedule.py",)
EXEMPT = (*WHAT_A_CLOCK_IS, *REAL_SECONDS, *TABLES_OF_STEPS)

Positions = Mapping[str, set[int]]
POSITIONS: Positions = {
    **{name: {0, 1} for name in ("share", "reserve")},
    **{name: {0} for name in ("remaining", "allowed", "until_deadline", "within", "oracle")},
    **{name: {1} for name in ("probe", "look", "find_lasso", "examine")},
    **{name: {2} for name in ("check_with", "check_derivation", "check_summaries", "find_violation", "refutation")},
    **{name: {3} for name in ("entails", "core", "project_exact", "project_over")},
    **{name: {4} for name in ("interpolate", "cover")},
    "check": {1, 2},
}
"""Which arguments are limits, of what is called all over the place; for other functions their own module tells."""


@dataclass
class Module:
    constants: list[tuple[str, ast.expr]]
    calls: list[ast.Call]
    functions: list[ast.FunctionDef]
    numbers: set[str]  # its constants with numbers in them
    own: Positions  # which arguments of its functions are limits


def test_no_limit_of_the_search_stands_beside_the_code_that_uses_it() -> None:
    modules = _read(SOURCES.rglob("*.py"))
    found = {name: bare for name, module in modules if (bare := sorted(set(_bare(module))))}
    assert not found, "make it a field of the plan beside the engine or method, in planned seconds"


@pytest.mark.parametrize(
    "text",
    [
        "clock.share(0.3, 20.0)",
        "clock.share(PLAN.pool.share, at_most=20.0)",
        "oracle.check(formula, seconds=0.5)",
        "oracle.check(formula, seconds=2 * PLAN.question)",
        "POOL_SECONDS = 3.0",
        "POOL_SHARE, MOST = 0.3, 20",
        "EACH = 4.0\nclock.share(1 / parts, at_most=EACH)",
        "_RESERVE = (1.0, 0.1)\nclock.reserve(*_RESERVE)",
        "def solve(system, seconds=2.0): ...",
        "def _ask(seconds): ...\n_ask(0.1)",
        "half = Part(0.5)",
        "clock.remaining(0.25)",
    ],
)
def test_a_number_in_the_place_of_a_plan_is_found(text: str) -> None:
    assert list(_bare(_module(ast.parse(text))))


@pytest.mark.parametrize(
    "text",
    [
        "PLAN.pool.of(clock)",
        "clock.share(1.0, seconds)",
        "clock.share(1 / (len(groups) - position))",
        "oracle.check(formula, seconds=PLAN.question)",
        "MOST_RUNS = 60\nrun(program, steps=MOST_RUNS)",
        "def tell(outcome, seconds=0.0): ...",
    ],
)
def test_plans_and_even_shares_are_no_such_numbers(text: str) -> None:
    assert not list(_bare(_module(ast.parse(text))))


def test_what_is_exempt_is_there() -> None:
    assert all((SOURCES / name).exists() for name in EXEMPT)


def _read(paths: Iterable[Path]) -> Iterator[tuple[str, Module]]:
    for path in paths:
        name = path.relative_to(SOURCES).as_posix()
        if path.name != "plan.py" and not _is_exempt(name) and SUSPECT.search(text := path.read_text(encoding="utf-8")):
            yield name, _module(ast.parse(text))


def _is_exempt(name: str) -> bool:
    return any(name == each or name.startswith(f"{each}/") for each in EXEMPT)


def _module(tree: ast.Module) -> Module:
    nodes = list(ast.walk(tree))
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    own = _joined({function.name: set(_positions(function))} for function in functions)
    constants = list(_constants(tree))
    numbers = {name for name, value in constants if _numbers(value)}
    return Module(constants, [node for node in nodes if isinstance(node, ast.Call)], functions, numbers, own)


def _positions(function: ast.FunctionDef) -> Iterator[int]:
    names = [argument.arg for argument in function.args.args]
    names = names[1:] if names[:1] in (["self"], ["cls"]) else names
    return (position for position, name in enumerate(names) if name in LIMITS)


def _joined(several: Iterable[Positions]) -> Positions:
    total: dict[str, set[int]] = {}
    for each in several:
        for name, positions in each.items():
            total.setdefault(name, set()).update(positions)
    return total


def _constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for node in tree.body:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                pairs = [(target, node.value)]
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs = list(zip(target.elts, node.value.elts, strict=True))
                yield from ((left.id, right) for left, right in pairs if isinstance(left, ast.Name))


def _numbers(value: ast.expr) -> list[float]:
    constants = [node.value for node in ast.walk(value) if isinstance(node, ast.Constant)]
    return [each for each in constants if isinstance(each, int | float) and not isinstance(each, bool)]


def _bare(module: Module) -> Iterator[str]:
    for name, value in module.constants:
        if TOLD.search(name) and _numbers(value):
            yield f"{name} = {ast.unparse(value)}"
    for call in module.calls:
        yield from (ast.unparse(call) for value in _limits(call, module) if _is_bare(value, module))
    for function in module.functions:
        yield from (f"{function.name}: {ast.unparse(each)}" for each in _defaults(function) if _is_bare(each, module))


def _limits(call: ast.Call, module: Module) -> Iterator[ast.expr]:
    """Its arguments that say how long something may take."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    positions = POSITIONS.get(name) or module.own.get(name, set())
    for position, value in enumerate(call.args):
        is_all = name == "share" and position == 0 and _numbers(value) == [1.0]
        if (position in positions and not is_all) or (name == "Part" and isinstance(value, ast.Constant)):
            yield value
    yield from (keyword.value for keyword in call.keywords if keyword.arg in LIMITS)


def _defaults(function: ast.FunctionDef) -> Iterator[ast.expr]:
    arguments = function.args
    last = arguments.args[len(arguments.args) - len(arguments.defaults) :]
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    pairs = [*zip(last, arguments.defaults, strict=True), *named]
    return (value for argument, value in pairs if argument.arg in LIMITS and value is not None)


def _is_bare(value: ast.expr, module: Module) -> bool:
    """A number, alone or in a sum, or a constant of the module; nothing at all and an even share are no limits."""
    numbers = _numbers(value)
    if isinstance(value, ast.Constant):
        return bool(numbers) and numbers != [0.0]
    named = any(isinstance(node, ast.Name) and node.id in module.numbers for node in ast.walk(value))
    return named or any(number not in (0, 1) for number in numbers)
