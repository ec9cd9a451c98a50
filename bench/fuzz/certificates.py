"""Certificates of small Horn systems, changed in one place: what is still accepted must still be valid.

What is valid is found by enumeration: definitions must hold in every instance of every clause, and what is derived must
be derivable.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import z3

from bench.fuzz import warm
from bench.fuzz.horn.campaign import asked
from bench.fuzz.horn.system import System, Value, drawn, least_solution
from bench.fuzz.report import Report, Trial, save
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer
from sorrel.model.source import Source
from sorrel.process import pipeline

LIMIT = 5.0
MUTANTS = 10
_TOKEN = re.compile(r"\(|\)|[^\s()]+")
_WORDS = (
    "0",
    "1",
    "2",
    "3",
    "true",
    "false",
    "and",
    "or",
    "not",
    "=",
    "<=",
    ">=",
    "<",
    ">",
    "+",
    "-",
    "p0",
    "p1",
    "x0",
)


def run(seed: int, seconds: float, folder: Path) -> Report:
    started = time.monotonic()
    trials: list[Trial] = []
    failures: list[Path] = []
    number = 0
    while time.monotonic() - started < seconds:
        chance = Random(f"certificates/{seed}/{number}")
        number += 1
        system, _ = drawn(chance)
        outcome = asked(system.text, chance.choice(("spacer", "clover"))).outcome
        if outcome is None or not outcome.certificate:
            continue
        for how, mutant in mutants(chance, outcome.certificate, MUTANTS):
            trial = tried(system, mutant, how)
            trials.append(trial)
            if trial.wrong:
                files = {"system.smt2": system.text, "certificate.smt2": mutant, "original.smt2": outcome.certificate}
                name = f"{seed}-{len(trials)}"
                command = "sorrel check system.smt2 certificate.smt2"
                failures.append(
                    save(folder, "certificates", name, files, seed=seed, command=command, wrong=trial.wrong)
                )
    return Report("certificates", seed, tuple(trials), time.monotonic() - started, tuple(failures))


def tried(system: System, certificate: str, how: str) -> Trial:
    options = Options("check", budget=Budget(LIMIT, 2000))
    source, evidence = Source("system.smt2", system.text), Source("certificate.smt2", certificate)
    reply = warm.ask(lambda: pipeline.check_certificate(source, evidence, options), LIMIT)
    if reply.problem == "internal":
        return Trial(how, "", "internal", reply.wrong(Answer.UNKNOWN), frozenset({how}), reply.seconds)
    if not reply.decided:
        return Trial(how, "rejected", "", "", frozenset({how}), reply.seconds)
    try:
        valid = is_solution(system, certificate) if reply.answer == Answer.SAFE else least_solution(system)[1]
    except z3.Z3Exception:  # names and sorts that z3 does not take, where they have no meaning
        return Trial(how, "accepted, not judged", "", "", frozenset({how}), reply.seconds)
    wrong = "" if valid else f"accepted as {reply.answer}, but enumeration finds a clause that it breaks"
    return Trial(how, "accepted, valid", "", wrong, frozenset({how}), reply.seconds)


# Changes


def mutants(chance: Random, text: str, count: int) -> Iterator[tuple[str, str]]:
    """Texts that differ from the given one in one place, with how they were made."""
    forms: tuple[tuple[str, Callable[[Random, list[str]], list[str]]], ...] = (
        ("word replaced", _replaced),
        ("number moved", _moved),
        ("token left out", _left_out),
        ("token doubled", _doubled),
        ("tokens exchanged", _exchanged),
        ("term left out", _pruned),
        ("text cut off", lambda by, tokens: tokens[: by.randrange(len(tokens))]),
    )
    for _ in range(count):
        how, change = chance.choice(forms)
        changed = " ".join(change(chance, _TOKEN.findall(text)))
        if _TOKEN.findall(changed) != _TOKEN.findall(text):
            yield how, changed + "\n"


def _replaced(chance: Random, tokens: list[str]) -> list[str]:
    places = [at for at, token in enumerate(tokens) if token not in "()"]
    tokens[chance.choice(places)] = chance.choice(_WORDS)
    return tokens


def _moved(chance: Random, tokens: list[str]) -> list[str]:
    places = [at for at, token in enumerate(tokens) if token.isdigit()]
    if places:
        at = chance.choice(places)
        tokens[at] = str(max(0, int(tokens[at]) + chance.choice((-1, 1))))
    return tokens


def _left_out(chance: Random, tokens: list[str]) -> list[str]:
    at = chance.randrange(len(tokens))
    return tokens[:at] + tokens[at + 1 :]


def _doubled(chance: Random, tokens: list[str]) -> list[str]:
    at = chance.randrange(len(tokens))
    return [*tokens[: at + 1], *tokens[at:]]


def _exchanged(chance: Random, tokens: list[str]) -> list[str]:
    places = [at for at, token in enumerate(tokens) if token not in "()"]
    one, other = chance.choice(places), chance.choice(places)
    tokens[one], tokens[other] = tokens[other], tokens[one]
    return tokens


def _pruned(chance: Random, tokens: list[str]) -> list[str]:
    """Without one group in parentheses."""
    start = chance.choice([at for at, token in enumerate(tokens) if token == "("])
    depth = 0
    for end in range(start, len(tokens)):
        depth += (tokens[end] == "(") - (tokens[end] == ")")
        if depth == 0:
            return tokens[:start] + tokens[end + 1 :]
    return tokens


# What is valid


def is_solution(system: System, certificate: str) -> bool:
    """Whether the definitions hold in every instance of every clause, by evaluating them."""
    certificate = certificate.replace("( ", "(")
    atoms = [atom for clause in system.clauses for atom in (*clause.body, *([clause.head] if clause.head else []))]
    hold = {name: _definition(system, name, certificate) for name in {atom.predicate for atom in atoms}}
    for clause in system.clauses:
        for values in system.instances(clause):
            body = all(hold[name](given) for name, given in (system.fact(atom, values) for atom in clause.body))
            if body and (clause.head is None or not hold[clause.head.predicate](system.fact(clause.head, values)[1])):
                return False
    return True


def _definition(system: System, name: str, certificate: str) -> Callable[[tuple[Value, ...]], bool]:
    sorts = [system.sort(sort) for sort in system.predicates[name]]
    formals = [f"given{at}" for at in range(len(sorts))]
    declared = "".join(f"(declare-const {formal} {sort})" for formal, sort in zip(formals, sorts, strict=True))
    definitions = "".join(re.findall(r"\(define-fun.*", certificate.replace("(define-fun", "\n(define-fun")))
    use = f"({name} {' '.join(formals)})" if formals else name
    (formula,) = z3.parse_smt2_string(f"{definitions}{declared}(assert {use})")

    def holds(given: tuple[Value, ...]) -> bool:
        pairs = [
            (z3.Const(formal, _z3_sort(sort)), _z3_value(value, sort))
            for formal, sort, value in zip(formals, sorts, given, strict=True)
        ]
        solver = z3.Solver()
        solver.add(z3.Not(z3.substitute(formula, *pairs)))
        return bool(solver.check() == z3.unsat)

    return holds


def _z3_sort(sort: str) -> z3.SortRef:
    return {"Bool": z3.BoolSort(), "Int": z3.IntSort()}.get(sort, z3.BitVecSort(2))


def _z3_value(value: Value, sort: str) -> z3.ExprRef:
    if sort == "Bool":
        return z3.BoolVal(bool(value))
    return z3.IntVal(int(value)) if sort == "Int" else z3.BitVecVal(int(value), 2)
