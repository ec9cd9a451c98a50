"""The certificate against the original text, parsed by the checking solver itself: not even our reader is trusted.

Safe: every declaration of a predicate is replaced by the definition of its summary, and each assertion is
refuted in turn. Unsafe: every step becomes the asserted clause with its variables bound to the step's values,
predicates stay uninterpreted, and all of them together must be contradictory. A loop is a question of its own: in a
round of any number, its instances with the fact that the round begins with contradict that the fact it ends with does
not hold. Then, by induction, the fact after all rounds follows from the one before, which joins the instances.

What is rewritten is text: declarations, quantifiers of instantiated clauses, and words of the `rule`/`query` dialect.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from typing import assert_never

import z3

from sorrel.evidence.loops import loops_problem
from sorrel.evidence.ranking import union
from sorrel.evidence.recursion import induction_questions, lemmas_asserted
from sorrel.evidence.result import Accepted, NotConfirmed, Rejected, Result
from sorrel.evidence.rounds_over_bits import Counter, counted
from sorrel.horn.recurrence import RecurrentSet
from sorrel.horn.recursion import NOTHING, Recursion
from sorrel.horn.recursion_text import write_functions
from sorrel.horn.system import HornSystem
from sorrel.horn.text import read_note, write_definition
from sorrel.horn.verdict import Derivation, Loop, Ranks, Safe, Step, Summaries, Terminating, Unsafe
from sorrel.logic import sexpr, terms
from sorrel.logic.evaluate import evaluate
from sorrel.logic.printing_smtlib import smtlib, smtlib_sort, symbol
from sorrel.logic.sexpr import Atom, Group, SExpr, Text
from sorrel.logic.terms import Term
from sorrel.model.errors import InputError
from sorrel.model.values import dataclass
from sorrel.smt.parameters import restored

_DROPPED = {
    *("set-logic", "set-option", "set-info", "check-sat", "echo", "exit", "declare-var"),
    *("get-model", "get-info", "get-option", "get-proof", "get-value", "get-unsat-core", "get-assertions"),
}
_SORTS = frozenset(("declare-datatypes", "declare-datatype", "declare-sort", "define-sort"))
_VALUES_BY_SORT = {"Int": "0", "Real": "0.0", "Bool": "false"}


class CannotRewrite(Exception):
    """The text has a shape that instantiation does not handle; the evidence may still be right."""


def recheck(
    text: str, system: HornSystem, verdict: Safe | Unsafe | Terminating, checker: str, seconds: float
) -> Result:
    """`checker` is z3 or cvc5; it parses the text itself."""
    try:
        script = _Script(Text(text), system, _negative_literals if checker == "cvc5" else str)
        match verdict:
            case Safe(summaries):
                if system.obligations:
                    return NotConfirmed("the certificate has no ranks for the well-foundedness obligations")
                if problem := verdict.recursion.problem():
                    return Rejected(problem)
                known = lemmas_asserted(verdict.recursion)
                questions = [f"{known} {asked}" for asked in script.refuted_assertions(summaries)]
                questions += induction_questions(verdict.recursion)
                prelude = script.definitions(summaries, verdict.recursion)
                done = f"{len(questions)} assertions valid"
            case Terminating(summaries, ranks):
                questions = [*script.refuted_assertions(summaries), *script.steps_outside(ranks)]
                prelude = script.definitions(summaries)
                done = f"{len(questions)} assertions and obligations valid"
            case Unsafe(derivation):
                if problem := loops_problem(derivation):
                    return Rejected(problem)
                derivation, counters = counted(derivation)
                questions = script.refutation(derivation, counters)
                prelude = "\n".join([script.declarations(), *dict.fromkeys(each.declaration for each in counters)])
                done = f"{len(derivation.steps)} instances contradictory"
            case _:
                assert_never(verdict)
    except (CannotRewrite, InputError) as problem:
        return NotConfirmed(f"the text could not be prepared for {checker}: {problem}")
    return _all_refuted(checker, prelude, questions, seconds, done)


def recheck_recurrent(claimed: RecurrentSet, checker: str, seconds: float) -> Result:
    """The questions of the set's script, to the checker's own reader."""
    done = "the start is in the set, and every state of it has a step back into it"
    return _all_refuted(checker, claimed.declarations(), claimed.questions(), seconds, done)


def _all_refuted(checker: str, prelude: str, questions: list[str], seconds: float, done: str) -> Result:
    answers = _ask(checker, prelude, questions, seconds)
    if isinstance(answers, NotConfirmed):
        return answers
    for number, answer in enumerate(answers):
        if answer == "sat":
            return Rejected(f"{checker} finds question {number + 1} of {len(questions)} satisfiable")
        if answer != "unsat":
            return NotConfirmed(f"{checker} answers {answer or 'nothing'} to question {number + 1}")
    return Accepted(done)


@dataclass(frozen=True, slots=True)
class _Command:
    word: str
    start: int
    end: int
    clause: str = ""  # from our own note before it


@dataclass
class _Script:
    """The commands of the original text, and what to put in place of some of them."""

    text: Text
    system: HornSystem
    adapt: Callable[[str], str]  # what the checker wants written differently in the terms that we insert
    commands: list[_Command] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=dict)  # declare-var: name -> sort as written

    def __post_init__(self) -> None:
        note = ""
        for start, end in sexpr.commands(self.text):
            word = sexpr.head(self.text, start)
            if word == "exit":
                break
            if word == "set-info" and ":sorrel-clause" in self.text.content[start:end]:
                note = _noted_clause(sexpr.read(self.text, start, end))
                continue
            if word == "declare-var":
                self._declare_variable(start, end)
            self.commands.append(_Command(word, start, end, note))
            note = "" if word == "assert" else note

    def _declare_variable(self, start: int, end: int) -> None:
        match sexpr.read(self.text, start, end):
            case Group(items=(_, Atom() as name, sort)):
                self.variables[name.name] = self._source(sort)

    def _source(self, item: SExpr) -> str:
        return self.text.content[item.start : _end(item)]

    # Preludes

    def definitions(self, summaries: Summaries, recursion: Recursion = NOTHING) -> str:
        """Everything but the assertions, predicates defined by their summaries; functions follow the datatypes."""
        lines = list(self._prelude(summaries))
        if not recursion:
            return "\n".join(lines)
        sorts = [line for line in lines if sexpr.head(Text(line), 0) in _SORTS]
        rest = [line for line in lines if line not in sorts]
        return "\n".join([*sorts, *map(self.adapt, write_functions(recursion)), *rest])

    def declarations(self) -> str:
        return "\n".join(self._prelude(None))

    def _prelude(self, summaries: Summaries | None) -> Iterator[str]:
        for command in self.commands:
            if command.word in _DROPPED or command.word in ("assert", "rule", "query", "dwf"):
                continue
            source = self.text.content[command.start : command.end]
            if command.word in ("declare-fun", "declare-const", "declare-rel"):
                yield self._declaration(command, source, summaries)
            else:
                yield source

    def _declaration(self, command: _Command, source: str, summaries: Summaries | None) -> str:
        match sexpr.read(self.text, command.start, command.end):
            case Group(items=(_, Atom() as name, *rest)) if name.name in self.system.predicate:
                if summaries is not None:
                    return self.adapt(write_definition(self.system.predicate[name.name], summaries[name.name]))
                if command.word == "declare-rel":
                    return f"(declare-fun {symbol(name.name)} {self._source(rest[0])} Bool)"
        return source

    # Safe

    def refuted_assertions(self, summaries: Summaries) -> Iterator[str]:
        """For each assertion a question that is unsatisfiable if the definitions make the assertion true."""
        for command in self.commands:
            if command.word in ("assert", "rule", "query"):
                formula = self._formula(command)
                source = self._source(formula)
                if command.word == "query" and isinstance(formula, Atom):
                    source = self._any_arguments(formula.name)
                bound = self._mentioned(formula)
                if command.word == "query":
                    closed = f"(exists ({bound}) {source})" if bound else source
                    yield f"(assert {closed})"
                else:
                    closed = f"(forall ({bound}) {source})" if bound else source
                    yield f"(assert (not {closed}))"

    def _formula(self, command: _Command) -> SExpr:
        match sexpr.read(self.text, command.start, command.end):
            case Group(items=(_, formula, *_)):
                return formula
        raise CannotRewrite(f"{command.word} without a formula")

    def _any_arguments(self, name: str) -> str:
        predicate = self.system.predicate.get(name)
        if predicate is None or not predicate.arguments:
            return symbol(name)
        binders = " ".join(f"(a!{i} {smtlib_sort(a.sort)})" for i, a in enumerate(predicate.arguments))
        arguments = " ".join(f"a!{i}" for i in range(len(predicate.arguments)))
        return f"(exists ({binders}) ({symbol(name)} {arguments}))"

    def _mentioned(self, formula: SExpr) -> str:
        """Binders for the declared variables that occur in the formula."""
        if not self.variables:
            return ""
        names = {atom.name: None for atom in _atoms(formula) if atom.name in self.variables}
        return " ".join(f"({symbol(name)} {self.variables[name]})" for name in names)

    # Terminating

    def steps_outside(self, ranks: Ranks) -> Iterator[str]:
        """For each obligation a question that is unsatisfiable if its relation lies within its ranks."""
        obligations = {obligation.name: obligation for obligation in self.system.obligations}
        for command in self.commands:
            if command.word != "dwf":
                continue
            match sexpr.read(self.text, command.start, command.end):
                case Group(items=(_, Atom() as name, Group() as before, Group() as after, relation)):
                    inside = smtlib(union(obligations[name.name], ranks.get(name.name, ())))
                    outside = f"(and {self._source(relation)} (not {self.adapt(inside)}))"
                    bound = f"{self._inner(before)} {self._inner(after)}".strip()
                    yield f"(assert (exists ({bound}) {outside}))" if bound else f"(assert {outside})"
                case _:
                    raise CannotRewrite("an obligation has a shape that is not known")

    def _inner(self, group: Group) -> str:
        return self.text.content[group.start + 1 : group.end - 1]

    # Unsafe

    def refutation(self, derivation: Derivation, counters: list[Counter]) -> list[str]:
        """A question for each loop, then one for all steps outside of loops with what the loops come to."""
        instances = list(self.instances(derivation))
        looping = {number for loop in derivation.loops for number in range(loop.first, loop.last + 1)}
        ground = [formula for number, formula in enumerate(instances) if number not in looping]
        questions = []
        for loop, counter in zip(derivation.loops, counters, strict=True):
            begins, ends, first, after = self._around(derivation, loop, counter)
            rounds = self.adapt(smtlib(counter.before(loop.count)))
            inside = instances[loop.first : loop.last + 1]
            # What steps outside conclude may be a premise in every round.
            said = [rounds, begins, f"(not {ends})", *inside, *ground]
            questions.append(" ".join(f"(assert {formula})" for formula in said))
            ground.append(f"(=> {first} {after})")
        return [*questions, " ".join(f"(assert {formula})" for formula in ground)]

    def _around(self, derivation: Derivation, loop: Loop, counter: Counter) -> tuple[str, str, str, str]:
        """The fact that a round begins and ends with, the one before the first and the one after the last round."""
        carried = [
            (step, position)
            for step in derivation.steps[loop.first : loop.last + 1]
            for position, premise in enumerate(step.premises)
            if premise == loop.entry
        ]
        if not carried:
            raise CannotRewrite("a loop does not use the fact that it begins with")
        step, position = carried[0]
        call = self.system.clause[step.clause].body[position]
        inside = [terms.substitute(argument, step.values.items()) for argument in call.arguments]

        def fact(round_: Term) -> str:
            values = [self.adapt(smtlib(terms.substitute(value, [(counter.number, round_)]))) for value in inside]
            return f"({symbol(call.predicate.name)} {' '.join(values)})" if values else symbol(call.predicate.name)

        following = counter.number + counter.literal(1)
        return fact(counter.number), fact(following), fact(counter.literal(0)), fact(counter.literal(loop.count))

    def instances(self, derivation: Derivation) -> Iterator[str]:
        """For each step the formula of its assertion, with its variables bound to the values of the step."""
        by_place = {self.text.position(c.start): c for c in self.commands if c.word in ("assert", "rule", "query")}
        by_name = {c.clause: c for c in self.commands if c.clause}
        for step in derivation.steps:
            clause = self.system.clause[step.clause]
            command = by_name.get(step.clause) or by_place.get((clause.origin.line, clause.origin.column))
            if command is None:
                raise CannotRewrite(f"clause {step.clause} was not found in the text")
            yield self._instance(command, step)

    def _instance(self, command: _Command, step: Step) -> str:
        values = {variable.decl().name(): self.adapt(smtlib(value)) for variable, value in step.values.items()}
        formula = self._formula(command)
        if command.word == "assert":
            return self._instantiated(formula, values)
        if isinstance(formula, Atom) and formula.name in self.system.predicate:
            # A relation by its name alone, with any arguments: those of the step.
            (call,) = self.system.clause[step.clause].body
            arguments = [self.adapt(smtlib(evaluate(argument, step.values))) for argument in call.arguments]
            applied = f"({symbol(formula.name)} {' '.join(arguments)})" if arguments else symbol(formula.name)
            return f"(not {applied})"
        bound = {atom.name for atom in _atoms(formula) if atom.name in self.variables}
        inner = self._instantiated(formula, values, negative=command.word == "query")
        closed = inner
        if bound:
            pairs = " ".join(f"({symbol(n)} {self._value(n, self.variables[n], values)})" for n in sorted(bound))
            closed = f"(let ({pairs}) {inner})"
        return f"(not {closed})" if command.word == "query" else closed

    def _value(self, name: str, sort: str, values: Mapping[str, str]) -> str:
        value = values.get(name) or _VALUES_BY_SORT.get(sort)
        if value is None:
            raise CannotRewrite(f"variable {name} has no value")
        return value

    def _instantiated(self, formula: SExpr, values: Mapping[str, str], negative: bool = False) -> str:
        """The formula's text with its universal quantifiers replaced by `let`."""
        edits: list[tuple[int, int, str]] = []
        stack = [(formula, not negative)]
        seen: set[str] = set()
        while stack:
            item, positive = stack.pop()
            if not isinstance(item, Group) or not item.items:
                continue
            match item.items:
                case (Atom(text="!"), inner, *_):
                    edits += [(item.start, inner.start, ""), (_end(inner), item.end, "")]
                    stack.append((inner, positive))
                case (Atom(text="not"), inner):
                    stack.append((inner, not positive))
                case (Atom(text="let"), _, inner):
                    stack.append((inner, positive))
                case (Atom(text="and" | "or"), *parts):
                    stack.extend((part, positive) for part in parts)
                case (Atom(text="=>"), *premises, conclusion):
                    stack.extend((part, not positive) for part in premises)
                    stack.append((conclusion, positive))
                case (Atom(text="forall" | "exists" as word), Group() as binders, inner):
                    if (word == "forall") == positive:
                        pairs = self._bindings(binders, values, seen)
                        edits.append((item.start, inner.start, f"(let ({pairs}) " if pairs else "(and "))
                        stack.append((inner, positive))
        return _edited(self.text.content, formula.start, _end(formula), edits)

    def _bindings(self, binders: Group, values: Mapping[str, str], seen: set[str]) -> str:
        words = []
        for binder in binders.items:
            match binder:
                case Group(items=(Atom() as name, sort)):
                    if name.name in seen:
                        raise CannotRewrite(f"variable {name.name} is bound twice")
                    seen.add(name.name)
                    words.append(f"({symbol(name.name)} {self._value(name.name, self._source(sort), values)})")
        return " ".join(words)


def _negative_literals(text: str) -> str:
    """-1 for (- 1): cvc5 takes only a literal as the element of a constant array."""
    return re.sub(r"\(- ([0-9]+(?:\.[0-9]+)?)\)", r"-\1", text)


def _noted_clause(info: SExpr) -> str:
    match info:
        case Group(items=(_, _, Atom(text=quoted))):
            match read_note(quoted):
                case (Atom() as name, *_):
                    return name.name
    return ""


def _end(item: SExpr) -> int:
    return item.end if isinstance(item, Group) else item.start + len(item.text)


def _atoms(item: SExpr) -> Iterator[Atom]:
    stack = [item]
    while stack:
        current = stack.pop()
        if isinstance(current, Atom):
            yield current
        else:
            stack.extend(reversed(current.items))


def _edited(content: str, start: int, end: int, edits: Iterable[tuple[int, int, str]]) -> str:
    pieces = []
    at = start
    for first, last, replacement in sorted(edits):
        pieces += [content[at:first], replacement]
        at = last
    pieces.append(content[at:end])
    return "".join(pieces)


# Solvers


def _ask(checker: str, prelude: str, questions: list[str], seconds: float) -> list[str] | NotConfirmed:
    """The answers to the questions, each asked by itself after the prelude."""
    if seconds <= 0:
        return NotConfirmed(f"time ran out before {checker} was asked")
    if checker == "z3":
        return _ask_z3(prelude, questions, seconds)
    if checker == "cvc5":
        return _ask_cvc5(prelude, questions, seconds)
    return NotConfirmed(f"there is no checker {checker}")


def _asked(questions: list[str]) -> str:
    return "\n".join(f"(push 1)\n{question}\n(check-sat)\n(pop 1)" for question in questions)


def _ask_z3(prelude: str, questions: list[str], seconds: float) -> list[str] | NotConfirmed:
    context = z3.Context()
    # z3 starts with a datatype List of its own, which a file's would clash with; (reset) forgets it.
    script = f"(reset)\n(set-option :timeout {int(seconds * 1000)})\n{prelude}\n{_asked(questions)}\n"
    try:
        with restored(["timeout"]):
            output = z3.Z3_eval_smtlib2_string(context.ref(), script)
    except z3.Z3Exception as problem:
        return NotConfirmed(f"z3 failed: {problem}")
    return _answers("z3", output.splitlines(), len(questions))


def _ask_cvc5(prelude: str, questions: list[str], seconds: float) -> list[str] | NotConfirmed:
    try:
        import cvc5
    except ImportError:
        return NotConfirmed("cvc5 is not installed; pip install 'sorrel[recheck]' brings it")
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("tlimit", str(max(1, int(seconds * 1000))))
    solver.setOption("incremental", "true")
    solver.setOption("arrays-exp", "true")  # constant arrays, which values of arrays are made of
    parser = cvc5.InputParser(solver)
    script = f"(set-logic ALL)\n{prelude}\n{_asked(questions)}\n"
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "certificate")
    output: list[str] = []
    try:
        while not (command := parser.nextCommand()).isNull():
            output.extend(str(command.invoke(solver, parser.getSymbolManager())).splitlines())
    except RuntimeError as problem:
        return NotConfirmed(f"cvc5 failed: {problem}")
    return _answers("cvc5", output, len(questions))


def _answers(checker: str, lines: list[str], expected: int) -> list[str] | NotConfirmed:
    problems = [line for line in lines if "error" in line]
    if problems:
        return NotConfirmed(f"{checker} does not read the text: {problems[0]}")
    answers = [line for line in lines if line in ("sat", "unsat", "unknown")]
    if len(answers) != expected:
        return NotConfirmed(f"{checker} gave {len(answers)} answers to {expected} questions")
    return answers
