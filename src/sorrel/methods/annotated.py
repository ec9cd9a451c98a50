"""What a C text says of itself in comments: assumed of callers, asserted in the program, or told as not supported."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from pathlib import Path

from sorrel.contracts.annotations import Annotation, Clause, ClauseKind, Target, annotations_in, label_of, marked
from sorrel.contracts.checks import Claim, with_claims
from sorrel.contracts.doubts import with_doubts
from sorrel.contracts.entry import EntryState
from sorrel.contracts.frames import is_within, unchanged
from sorrel.contracts.meaning import Meaning, meaning
from sorrel.contracts.reading import Dialect
from sorrel.contracts.stand_ins import PREFIX, stand_in
from sorrel.contracts.vocabulary import Vocabulary, vocabulary
from sorrel.model.assumption import AssumptionKind, Premise
from sorrel.model.errors import InputError, Span, UsageError
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.model.values import dataclass
from sorrel.program.effects import Effects, effects
from sorrel.program.program import CONTRACT, Procedure, Program
from sorrel.program.statement import Havoc, Kind

_INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
NOT_LOOKED_AT = "is not checked"
COMMAND_LINE = Span("--assume")
_ASSERTED = (ClauseKind.REQUIRES, ClauseKind.ENSURES, ClauseKind.ASSIGNS, ClauseKind.ASSERT, "check")
"""Keywords of what a program is asked to do, where its assertions are."""


@dataclass(frozen=True, slots=True)
class Texts:
    """The files of a program with their annotations.

    `sources` have labels where something is asserted, and bodies for functions that have a contract instead of one,
    which are `standing_in`.
    """

    sources: tuple[Source, ...]
    annotations: tuple[tuple[int, Annotation], ...]
    standing_in: frozenset[str] = frozenset()

    @staticmethod
    def of(task: Task) -> Texts:
        """Also of headers that the files include by name."""
        files = list(_files(task))
        asserting = _is_about_assertions(task)
        everything = "\n".join(text for _, text, _ in files)
        changed = {name: text for name, text, _ in files}
        found: list[tuple[int, Annotation]] = []
        made: dict[str, str] = {}
        for name, text, source in files:
            own = list(annotations_in(text, name))
            found += enumerate(own)
            if name == source and asserting:
                changed[name] = marked(text, own)
            for each in own:
                body = stand_in(text, each, everything) if each.name not in made else ""
                if body:
                    made[each.name] = body
                    changed[source] += f"\n{body}\n"
        originals = {name: text for name, text, _ in files}
        sources = tuple(_changed(each, originals[each.name], changed[each.name]) for each in task.sources)
        return Texts(sources, tuple(found), frozenset(made))


def _changed(source: Source, original: str, text: str) -> Source:
    """With this text; one that is not UTF-8 is refused then, since strings in it would not be what they were."""
    if text == original:
        return source
    source.read()
    return Source(source.path, text)


def _is_about_assertions(task: Task) -> bool:
    return Kind.ASSERTION in map(Kind, task.goal.kinds)


def _files(task: Task) -> Iterator[tuple[str, str, str]]:
    """Sources, and headers behind the source that includes them first: name, text, and that source."""
    pending = [(source.name, source.read_as_compilers_do(), source.name) for source in task.sources]
    seen = {name for name, _, _ in pending}
    while pending:
        name, text, source = pending.pop(0)
        yield name, text, source
        for header in _headers(name, text, task.include):
            if header not in seen:
                seen.add(header)
                pending.append((header, Path(header).read_text(encoding="utf-8", errors="replace"), source))


def _headers(name: str, text: str, include: Sequence[str]) -> Iterator[str]:
    for wanted in _INCLUDED.findall(text):
        folders = [Path(name).parent, *map(Path, include)]
        yield from (str(folder / wanted) for folder in folders if (folder / wanted).is_file())


def annotated(program: Program, task: Task, texts: Texts, *, asserting: bool = True) -> Program:
    """The program with what its annotations and the command line say, as far as that is supported."""
    made = _Annotated(program, task, texts.standing_in, asserting and _is_about_assertions(task))
    made.assume()
    for number, annotation in texts.annotations:
        made.add(number, annotation)
    return made.result()


@dataclass
class _Annotated:
    program: Program
    task: Task
    standing_in: frozenset[str]
    asserting: bool
    granted: list[Meaning] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    premises: list[Premise] = field(default_factory=list)
    doubts: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._state = EntryState.of(self.program)
        self._effects = effects(self.program)
        steps = (s for each in self.program.procedures for block in each.blocks for s in block.statements)
        self._unknown = {step.source for step in steps if isinstance(step, Havoc)}

    def assume(self) -> None:
        """What the command line says of the state before the call."""
        if self.task.assume and self._state is None:
            raise UsageError("--assume is about the state before a call: name a function with --function")
        for text in self.task.assume:
            self._grant(text, COMMAND_LINE, f"{text}, as --assume says.")

    def add(self, number: int, annotation: Annotation) -> None:
        match annotation.target:
            case Target.FUNCTION:
                self._of_functions(annotation)
            case Target.LOOP:
                for clause in annotation.clauses:
                    self._of_loop(clause, annotation)
            case Target.STATEMENT:
                self._asserted(number, annotation)

    def result(self) -> Program:
        program = with_claims(self.program, self.claims) if self.claims else self.program
        program = with_doubts(program, self.doubts) if self.doubts else program
        if self.granted:
            program = EntryState(program).granting(self.granted)
        named = tuple(replace(each, text=each.text.replace(PREFIX, "")) for each in program.assumptions)
        return replace(program, assumptions=(*named, *self.premises))

    # Functions

    def _of_functions(self, annotation: Annotation) -> None:
        procedure = self.program.procedure.get(annotation.name)
        if procedure is not None and annotation.name in self.standing_in:
            where = f"{annotation.beginning.file}:{annotation.beginning.line}"
            told = f"{annotation.name} behaves as its contract says ({where})."
            self.premises.append(Premise(AssumptionKind.LIBRARY, told, (annotation.beginning,)))
        for clause in annotation.clauses:
            if clause.kind is ClauseKind.OTHER:
                self._not_supported(clause, "", annotation.name)
            elif not annotation.name:
                self._not_supported(clause, "no function follows")
            elif procedure is None and annotation.name in self._unknown:
                self._not_supported(clause, f"{annotation.name} has no body", annotation.name)
            elif procedure is not None and annotation.name in self.standing_in:
                self._of_missing(clause, procedure)
            elif procedure is not None:
                self._of_function(clause, procedure)

    def _of_missing(self, clause: Clause, procedure: Procedure) -> None:
        """What nobody can look at: callers must see to what it requires, and it does what it ensures."""
        match clause.kind:
            case ClauseKind.REQUIRES if self.asserting:
                self._supported(clause, procedure, lambda: self._claim(clause, procedure, CONTRACT, at_entry=True))
            case ClauseKind.ENSURES:
                self._supported(clause, procedure, lambda: self._claim(clause, procedure, CONTRACT, assumed=True))
            case ClauseKind.REQUIRES:
                pass  # no part of this property
            case _:
                why = f"{procedure.name} has no body, and may do all that its type allows"
                self._not_supported(clause, why, procedure.name)

    def _of_function(self, clause: Clause, procedure: Procedure) -> None:
        match clause.kind:
            case ClauseKind.REQUIRES if self._is_entry(procedure.name):
                told = f"requires {clause.text} ({clause.span.file}:{clause.span.line})."
                self._supported(clause, procedure, lambda: self._grant(clause.text, clause.span, told))
            case ClauseKind.REQUIRES if self.asserting:
                self._supported(clause, procedure, lambda: self._claim(clause, procedure, CONTRACT, at_entry=True))
            case ClauseKind.ENSURES if self.asserting:
                self._supported(clause, procedure, lambda: self._claim(clause, procedure, CONTRACT))
            case ClauseKind.ASSIGNS if self.asserting:
                self._supported(clause, procedure, lambda: self._frame(clause, procedure))
            case ClauseKind.REQUIRES | ClauseKind.ENSURES | ClauseKind.ASSIGNS:
                pass  # no part of this property
            case _:
                self._not_supported(clause, "")

    def _is_entry(self, function: str) -> bool:
        return self._state is not None and self._state.function == function

    def _grant(self, text: str, span: Span, told: str) -> None:
        assert self._state is not None
        said = self._state.meaning(text, span)
        if said.bound:
            raise InputError("a quantifier in an assumption about the state before a call", span)
        self.granted.append(said)
        self.premises.append(Premise(AssumptionKind.PRECONDITION, told, (span,), words=text))

    def _frame(self, clause: Clause, procedure: Procedure) -> None:
        scope = procedure.scopes.get(CONTRACT) if procedure.scopes else None
        if scope is not None and scope.frame is not None and is_within(scope.frame, clause.text):
            return  # the text of the function shows it
        known = self._known(procedure, CONTRACT, clause.span)
        for text in unchanged(clause.text, known, procedure, self._effects_of(procedure), clause.span):
            self._claim(replace(clause, text=text), procedure, CONTRACT)

    def _effects_of(self, procedure: Procedure) -> Effects:
        return self._effects[procedure.name]

    def _known(self, procedure: Procedure, label: str, span: Span) -> Vocabulary:
        known = vocabulary(self.program, procedure, label, self._effects_of(procedure))
        if known is None:
            raise InputError("nothing can be said at this place", span)
        return known

    def _claim(
        self, clause: Clause, procedure: Procedure, label: str, *, at_entry: bool = False, assumed: bool = False
    ) -> None:
        known = self._known(procedure, label, clause.span)
        said = meaning(clause.text, Dialect.ACSL, known.at_entry if at_entry else known, clause.span)
        if said.witnesses:
            raise InputError("that there is a zero cannot be asserted", clause.span)
        if assumed and said.bound:
            raise InputError("a quantifier in an assumption", clause.span)
        told = f"{clause.word} {clause.text}"
        self.claims.append(Claim(procedure.name, label, said, told, clause.span, at_entry, True, assumed))

    # Places inside of functions

    def _of_loop(self, clause: Clause, annotation: Annotation) -> None:
        if annotation.name:
            self._not_supported(clause, "no loop follows")
        elif clause.kind not in (ClauseKind.INVARIANT, ClauseKind.VARIANT, ClauseKind.FRAME):
            self._not_supported(clause, "")

    def _asserted(self, number: int, annotation: Annotation) -> None:
        if not self.asserting:
            return
        file = annotation.clauses[0].span.file
        for procedure in self.program.procedures:
            for block in procedure.blocks if procedure.span.file == file else ():
                if block.label.rpartition(".")[0] == label_of(number):
                    for clause in annotation.clauses:
                        self._supported(clause, procedure, self._claiming(clause, procedure, block.label))
                    return
        for clause in annotation.clauses if not annotation.is_placed else ():
            self._not_supported(clause, "no statement is possible here")

    def _claiming(self, clause: Clause, procedure: Procedure, label: str) -> Callable[[], None]:
        return lambda: self._claim(clause, procedure, label)

    # What is not supported

    def _supported(self, clause: Clause, procedure: Procedure, add: Callable[[], None]) -> None:
        try:
            add()
        except InputError as problem:
            self._not_supported(clause, problem.message, procedure.name)

    def _not_supported(self, clause: Clause, why: str, function: str = "") -> None:
        """A proof needs what was to be asserted; a run that may not respect what was to be assumed shows nothing."""
        what = f"{clause.word} {clause.text}".strip()
        short = what if len(what) <= 60 else f"{what[:57]}..."
        reason = f": {why}" if why else ""
        told = f"{clause.span.file}:{clause.span.line}: {short} {NOT_LOOKED_AT}{reason}."
        is_granted = self._is_granted(clause, function)
        if is_granted:
            self.doubts[function] = short
        is_asserted = (
            self.asserting and _keyword(clause) in _ASSERTED and not is_granted and function not in self.standing_in
        )
        kind = AssumptionKind.OTHER if is_asserted else AssumptionKind.QUESTION
        self.premises.append(Premise(kind, told, (clause.span,), words=short if is_asserted else ""))

    def _is_granted(self, clause: Clause, function: str) -> bool:
        """Whether it is about what callers have seen to, or about a function that nobody can look at."""
        match _keyword(clause):
            case ClauseKind.REQUIRES:
                return self._is_entry(function)
            case ClauseKind.ENSURES:
                return function in self.standing_in or function in self._unknown
            case ClauseKind.ASSIGNS:
                return function in self.standing_in and self._changes_more(self.program.procedure[function])
            case _:
                return False

    def _changes_more(self, procedure: Procedure) -> bool:
        """Whether a function without a body may do anything but to return a value."""
        scope = procedure.scopes.get(CONTRACT) if procedure.scopes else None
        returns = scope is not None and "\\result" in scope.now.values()
        steps = (step for block in procedure.blocks for step in block.statements)
        return sum(isinstance(step, Havoc) for step in steps) > returns


def _keyword(clause: Clause) -> str:
    """Of what is said of a behavior, that after its name."""
    inner = re.match(r"\w+\s*:\s*(\w+)", clause.text) if clause.word == "behavior" else None
    return inner[1] if inner else clause.word
