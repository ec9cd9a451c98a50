"""Programs of recursive procedures, written out as Horn clauses.

A procedure becomes a predicate over its inputs and its results, in this order; every path through its body
becomes a clause whose head repeats the formals, so the call graph of the clauses is that of the program.
Bodies are SMT-LIB text in the order of execution: a variable is an input, a result, or bound by an equation or
a call before its first use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Expression = str | list["Expression"]

BYTES = "(Array Int Int)"
OPERATORS = frozenset(
    [
        *("and", "or", "not", "=", "distinct", "<", "<=", ">", ">="),
        *("+", "-", "*", "mod", "div", "ite", "select", "store", "true", "false"),
    ]
)


@dataclass(frozen=True, slots=True)
class Path:
    """One way through a procedure; `havoc` are locals of arbitrary value, with values to try when it is run."""

    body: tuple[str, ...]
    havoc: Mapping[str, Sequence[Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Procedure:
    """`summary` is a formula over the formals that proves the claims of safe tasks; it is not written to files."""

    name: str
    inputs: Mapping[str, str]
    results: Mapping[str, str]
    paths: tuple[Path, ...]
    summary: str

    @property
    def formals(self) -> dict[str, str]:
        return {**self.inputs, **self.results}


@dataclass(frozen=True, slots=True)
class Query:
    """A claim about a program: its body describes a violation.

    `holds` is the reference: the claim in plain Python, about the numbers that the procedures should compute, for
    given inputs. `inputs` are values to try it on; `witness` are inputs for which a false claim fails.
    """

    claim: str
    body: tuple[str, ...]
    inputs: Mapping[str, Sequence[Any]]
    holds: Callable[..., bool]
    witness: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """A file of a family. `reason` says why the verdict is what it is."""

    family: str
    name: str
    program: str
    procedures: tuple[Procedure, ...]
    queries: tuple[Query, ...]
    reason: str

    @property
    def safe(self) -> bool:
        return all(query.witness is None for query in self.queries)


def path(*body: str, **havoc: Sequence[Any]) -> Path:
    return Path(body, havoc)


def procedure(name: str, inputs: str, results: str, *paths: Path, summary: str = "true") -> Procedure:
    """Formals are separated by blanks and are integers, unless a sort follows: `x flag:Bool data:Bytes`."""
    return Procedure(name, _formals(inputs), _formals(results), paths, summary)


def query(
    claim: str,
    body: Sequence[str],
    inputs: Mapping[str, Sequence[Any]],
    holds: Callable[..., bool],
    witness: Mapping[str, Any] | None = None,
) -> Query:
    return Query(claim, tuple(body), inputs, holds, witness)


def _formals(text: str) -> dict[str, str]:
    split = (word.partition(":") for word in text.split())
    return {name: {"": "Int", "Bytes": BYTES}.get(sort, sort) for name, _, sort in split}


# Reading bodies


def parse(text: str) -> Expression:
    """A symbol, or the list of what stands between parentheses."""
    stack: list[list[Expression]] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", text):
        if token == "(":
            stack.append([])
        elif token != ")":
            stack[-1].append(token)
        elif len(stack) > 1:
            done = stack.pop()
            stack[-1].append(done)
        else:
            raise ValueError(f"nothing is open here to be closed: {text}")
    if len(stack) != 1 or len(stack[0]) != 1:
        raise ValueError(f"not one expression: {text}")
    return stack[0][0]


def symbols(expression: Expression) -> Iterator[str]:
    """Symbols from left to right."""
    if isinstance(expression, str):
        yield expression
    else:
        for part in expression:
            yield from symbols(part)


def is_numeral(symbol: str) -> bool:
    return symbol.isdigit()


# Writing


def write(task: Task) -> str:
    """The file of a task, in the assert dialect."""
    predicates = {procedure.name: procedure for procedure in task.procedures}
    parts = [_heading(task), "(set-logic HORN)\n" + "\n".join(map(declaration, task.procedures))]
    for procedure in task.procedures:
        head = f"({' '.join([procedure.name, *procedure.formals])})"
        clauses = [_clause(head, each.body, procedure.formals, predicates) for each in procedure.paths]
        parts.append(f"; {_signature(procedure)}\n" + "\n".join(clauses))
    parts += [f"; query: {each.claim}\n" + _clause("false", each.body, {}, predicates) for each in task.queries]
    return "\n\n".join([*parts, "(check-sat)\n"])


def _heading(task: Task) -> str:
    claims = [f"Property: {each.claim}" for each in task.queries]
    return "\n".join(f"; {line}" for line in (f"{task.family}/{task.name}", f"Program: {task.program}", *claims))


def _signature(procedure: Procedure) -> str:
    return f"{procedure.name}({', '.join(procedure.inputs)}) returns {', '.join(procedure.results)}"


def definition(procedure: Procedure) -> str:
    """The summary as a definition, to take the place of the declaration in a proof."""
    formals = " ".join(f"({name} {sort})" for name, sort in procedure.formals.items())
    return f"(define-fun {procedure.name} ({formals}) Bool {procedure.summary})"


def declaration(procedure: Procedure) -> str:
    return f"(declare-fun {procedure.name} ({' '.join(procedure.formals.values())}) Bool)"


def _clause(head: str, body: Sequence[str], known: Mapping[str, str], predicates: Mapping[str, Procedure]) -> str:
    variables = _variables(head, body, known, predicates)
    binder = " ".join(f"({name} {sort})" for name, sort in variables.items())
    premise = body[0] if len(body) == 1 else f"(and {' '.join(body)})"
    return f"(assert (forall ({binder})\n  (=> {premise}\n      {head})))"


def _variables(
    head: str, body: Sequence[str], known: Mapping[str, str], predicates: Mapping[str, Procedure]
) -> dict[str, str]:
    """Variables in the order in which they occur. A local has the sort of the formal it is passed for, or Int."""
    sorts = dict(known)
    read = [parse(text) for text in (head, *body)]
    for each in read:
        if isinstance(each, list) and isinstance(each[0], str) and each[0] in predicates:
            formals = predicates[each[0]].formals
            for argument, sort in zip(each[1:], formals.values(), strict=True):
                if isinstance(argument, str):
                    sorts.setdefault(argument, sort)
    used = dict.fromkeys(symbol for each in read for symbol in symbols(each))
    reserved = OPERATORS | predicates.keys()
    return {name: sorts.get(name, "Int") for name in used if name not in reserved and not is_numeral(name)}
