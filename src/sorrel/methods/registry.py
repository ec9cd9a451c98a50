"""Every method by name: what `--engine` takes, what outcomes name, and what `sorrel engines` lists.

Importing this module loads no solver.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from importlib.util import find_spec

from sorrel.engines.registry import ENGINES, Entry, no_ranks
from sorrel.methods.features import Features, Subject
from sorrel.methods.method import Method, MethodKind
from sorrel.methods.options import DifferingOptions, LawOptions, ProductOptions, ThreadRulesOptions, WholeOptions
from sorrel.model.errors import UsageError

PORTFOLIO = "portfolio"
"""What stands for the schedule that is made from a question's features."""

_ON_CLAUSES = {
    Subject.CLAUSES: "sorrel.methods.clauses:solved",
    Subject.RULE: "sorrel.methods.proof_rules:satisfied",
    Subject.PROGRAM: "sorrel.methods.safety:by_contracts",
    Subject.RELATION: "sorrel.methods.relational.product:by_product",
    Subject.LAW: "sorrel.methods.relational.product:by_product",
    Subject.FUNCTIONAL: "sorrel.methods.functional.attempts:by_types",
}
_WITH_RANKS = {
    Subject.ENDING: "sorrel.methods.termination.obligations:by_engine",
    Subject.FUNCTIONAL_ENDING: "sorrel.methods.termination.obligations:by_engine",
}
_BY_PROOF_RULES = {
    Subject.PROGRAM: "sorrel.methods.predicate_abstraction:of_programs",
    Subject.THREADS: "sorrel.methods.predicate_abstraction:of_threads",
}
_OF_LAWS = {Subject.LAW: "sorrel.methods.relational.product:by_product"}


def as_method(entry: Entry) -> Method:
    """An engine as a method: of clauses, and of every question that becomes clauses."""
    ways = {**_ON_CLAUSES, **({**_WITH_RANKS, **_BY_PROOF_RULES} if entry.ranks else {})}
    if entry.laws:
        ways = dict(_OF_LAWS)

    def refuses(features: Features) -> str:
        return no_ranks(entry.name) if features.obligations and not entry.ranks else ""

    return Method(entry.name, entry.sentence, MethodKind.ENGINE, ways, entry.name, entry.options, refuses)


def _unless_closed(features: Features) -> str:
    return "" if features.closed else "the program has inputs, or its only run takes too long"


def _as_words(features: Features) -> str:
    if features.floats:
        return "floating-point numbers are not bit-vectors here"
    return "" if find_spec("bitwuzla") else "Bitwuzla is not installed (it has no wheel for this system)"


def _with_calls(features: Features) -> str:
    return "" if features.calls else "the program has no calls that could be replaced by what they do"


def _with_objects(features: Features) -> str:
    return "" if features.linked else "the program has no objects that could be described together"


_OWN = (
    Method(
        "running",
        "runs the program with values that often make trouble",
        MethodKind.RUNNING,
        {
            Subject.PROGRAM: "sorrel.methods.running:probed",
            Subject.FUNCTIONAL: "sorrel.methods.functional.attempts:probed",
        },
        "found by running the program",
        may_find_nothing=True,
    ),
    Method(
        "exploration",
        "follows runs from state to state, those that get somewhere new first",
        MethodKind.RUNNING,
        {Subject.PROGRAM: "sorrel.methods.running:explored"},
        "found by exploring the program",
        may_find_nothing=True,
    ),
    Method(
        "mutation",
        "runs the program again and again, with inputs that got it somewhere new and were changed a little",
        MethodKind.RUNNING,
        {Subject.PROGRAM: "sorrel.methods.running:mutated"},
        "found by changing inputs of runs",
        may_find_nothing=True,
    ),
    Method(
        "only-run",
        "executes a program without inputs: it has one run only",
        MethodKind.RUNNING,
        {
            Subject.PROGRAM: "sorrel.methods.running:only_run",
            Subject.FUNCTIONAL: "sorrel.methods.functional.attempts:alone",
        },
        "the only run of the program",
        refuses=_unless_closed,
        may_find_nothing=True,
    ),
    Method(
        "unrolling",
        "bounded unrolling over bit-vectors: loops unrolled, calls inlined",
        MethodKind.PROGRAM,
        {Subject.PROGRAM: "sorrel.methods.unrolling:all_runs"},
        "all runs followed",
        refuses=_as_words,
    ),
    Method(
        "differing-runs",
        "runs the program several times with the same public values, to see a difference",
        MethodKind.RUNNING,
        {Subject.RELATION: "sorrel.methods.relational.product:differing"},
        "found by running the program several times",
        DifferingOptions,
        may_find_nothing=True,
    ),
    Method(
        "labels",
        "a type system for information flow: what is never near a secret",
        MethodKind.RELATION,
        {Subject.RELATION: "sorrel.methods.relational.product:labelled"},
        "labels of information flow",
    ),
    Method(
        "whole",
        "the program as one procedure, with all calls inlined",
        MethodKind.PROGRAM,
        {Subject.PROGRAM: "sorrel.methods.safety:as_a_whole"},
        "the program as a whole",
        WholeOptions,
        _with_calls,
    ),
    Method(
        "linked",
        "what is the same of every object of a list or a tree, in place of memory",
        MethodKind.PROGRAM,
        {Subject.PROGRAM: "sorrel.methods.linked:by_objects"},
        "what is the same of every object",
        refuses=_with_objects,
    ),
    Method(
        "facts",
        "bounds and equations from templates that are inductive together, without a search",
        MethodKind.PROGRAM,
        {Subject.FUNCTIONAL: "sorrel.methods.functional.attempts:by_facts"},
        "facts from templates",
    ),
    Method(
        "lasso",
        "looks for a run that returns to an earlier state",
        MethodKind.ENDING,
        {
            Subject.ENDING: "sorrel.methods.termination.endless:lasso",
            Subject.FUNCTIONAL_ENDING: "sorrel.methods.functional.attempts:lasso",
        },
        "a run that comes back",
        may_find_nothing=True,
    ),
    Method(
        "recurrent-set",
        "looks for a loop and a set of states that it need not leave",
        MethodKind.ENDING,
        {Subject.ENDING: "sorrel.methods.termination.endless:recurrent_set"},
        "a recurrent set",
        may_find_nothing=True,
    ),
    Method(
        "ranks",
        "lexicographic ranks for nested calls, with facts from templates (Farkas)",
        MethodKind.ENDING,
        {
            Subject.ENDING: "sorrel.methods.termination.ranks:ranked",
            Subject.FUNCTIONAL_ENDING: "sorrel.methods.termination.ranks:ranked",
        },
        "lexicographic ranks",
    ),
    Method(
        "interleavings",
        "explores the interleavings of threads for an error",
        MethodKind.THREADS,
        {
            Subject.THREADS: "sorrel.methods.threads.interleavings:explored",
            Subject.RULE: "sorrel.methods.proof_rules:interleavings",
        },
        "found by interleaving the threads",
        may_find_nothing=True,
        lacks="sorrel.methods.proof_rules:lacks_interleavings",
    ),
    Method(
        "product",
        "an invariant with a part for each location of the product of all threads",
        MethodKind.THREADS,
        {Subject.THREADS: "sorrel.methods.threads.product:by_product"},
        "product of threads",
        ProductOptions,
    ),
    Method(
        "configurations",
        "an invariant made from the configurations that were seen",
        MethodKind.THREADS,
        {Subject.THREADS: "sorrel.methods.threads.interleavings:by_configurations"},
        "configurations of threads",
    ),
    Method(
        "thread-rules",
        "the rules for threads one after the other: invariance, Owicki-Gries, rely-guarantee",
        MethodKind.THREADS,
        {Subject.THREADS: "sorrel.methods.threads.rules:by_rules"},
        "rules for threads",
        ThreadRulesOptions,
    ),
    Method(
        "functions",
        "a law with loops of the same code as functions of what they read",
        MethodKind.RELATION,
        {Subject.LAW: "sorrel.methods.relational.laws:with_functions"},
        "loops as functions",
        LawOptions,
        may_find_nothing=True,
        lacks="sorrel.methods.relational.laws:lacks_functions",
    ),
    Method(
        "parts",
        "a law by way of smaller laws that imply it together",
        MethodKind.RELATION,
        {Subject.LAW: "sorrel.methods.relational.laws:by_parts"},
        "parts of the law",
        LawOptions,
        may_find_nothing=True,
        lacks="sorrel.methods.relational.laws:lacks_parts",
    ),
)

METHODS: Mapping[str, Method] = {each.name: each for each in (*map(as_method, ENGINES.values()), *_OWN)}


def named(word: str) -> tuple[Method, ...]:
    """The methods that a word of `--engine` stands for, given as a+b; none for the portfolio, which chooses itself."""
    if word == PORTFOLIO or left_out(word):
        return ()
    return tuple(_known(part) for part in word.split("+"))


def left_out(word: str) -> str:
    """The method without which the portfolio shall do, from portfolio-NAME; nothing for other words."""
    first, minus, name = word.partition("-")
    return _known(name).name if first == PORTFOLIO and minus else ""


def _known(name: str) -> Method:
    if name not in METHODS:
        known = ", ".join([PORTFOLIO, *METHODS])
        raise UsageError(
            f"there is no engine {name}; there are: {known}, several joined by +, or {PORTFOLIO}-NAME to leave one out"
        )
    return METHODS[name]


def options_for(method: Method, given: Mapping[str, str]) -> dict[str, str]:
    """Which options are for one of several methods: `unwind.levels` is unwind's, `levels` is for whoever has it."""
    known = {field.name for field in fields(method.options)}
    chosen: dict[str, str] = {}
    for name, value in given.items():
        prefix, dot, rest = name.partition(".")
        if dot and prefix == method.name:
            chosen[rest] = value
        elif not dot and name.replace("-", "_") in known:
            chosen[name] = value
    return chosen


def demand_known(given: Mapping[str, str], among: Sequence[str]) -> None:
    """An option that none of the methods takes is a mistake."""
    for name, value in given.items():
        prefix, dot, _ = name.partition(".")
        if dot and prefix not in among:
            raise UsageError(f"option {name} is for {prefix}, which does not run; these do: {', '.join(among)}")
        if not any(options_for(METHODS[member], {name: value}) for member in among):
            has = ", ".join(field.name for member in among for field in fields(METHODS[member].options)) or "none"
            raise UsageError(
                f"there is no option {name}; {', '.join(among)} {'has' if len(among) == 1 else 'have'}: {has}"
            )
