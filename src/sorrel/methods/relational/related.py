"""The runs that a property compares, as one program; laws and the functions that they speak of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sorrel.evidence.effort import Reading
from sorrel.methods.reading import PLAIN
from sorrel.methods.reading import checked as read_checked
from sorrel.model.property import Property
from sorrel.model.task import Task
from sorrel.model.values import dataclass
from sorrel.program.program import Program
from sorrel.program.wrapping import wrapping
from sorrel.relate.claims import FunctionOfAnyInputs, any_of, claimed, parameters, subject
from sorrel.relate.functions import with_functions
from sorrel.relate.inputs import declared
from sorrel.relate.library import law as law_named
from sorrel.relate.observing import counted, traced
from sorrel.relate.product import Composition, Product, product
from sorrel.relate.specification import Specification, read_specification


def related(checked: Program, task: Task, reading: Reading = PLAIN) -> Product:
    """The runs that the property compares; functions that a law names are read in the same way."""
    if task.goal is Property.SPECIFICATION:
        asked = law_of(checked, task, reading)
        return asked.about(asked.specification)
    return product(observed(checked, task), composition=Composition(task.composition or Composition.MODULAR))


def observed(checked: Program, task: Task) -> Program:
    """The program with what is public, and with what an observer sees of its runs."""
    checked = declared(checked, task.public, task.secret)
    match task.goal:
        case Property.CONSTANT_TIME:
            return traced(checked)
        case Property.CONSTANT_STEPS:
            return counted(checked)
        case _:
            return checked


@dataclass(frozen=True, slots=True)
class Law:
    """What is specified of a function, and the functions that it speaks of."""

    specification: Specification
    subjects: Mapping[str, FunctionOfAnyInputs]
    function: str
    composition: Composition

    def about(self, specification: Specification) -> Product:
        """The runs that a specification of these functions speaks of, as one program."""
        return claimed(specification, self.subjects, self.function, self.composition)

    def about_wrapping(self) -> Product:
        """The runs that the law speaks of, with signed results that wrap around."""
        subjects = {name: replace(each, program=wrapping(each.program)) for name, each in self.subjects.items()}
        functions = [run.function or self.function for run in self.specification.runs]
        unwrapped = tuple(self.subjects[each].program for each in functions)
        return replace(replace(self, subjects=subjects).about(self.specification), unwrapped=unwrapped)

    def any_run(self) -> Program:
        """The runs of all the functions, each by itself: what goes wrong in one of them is no matter of the first."""
        return any_of(tuple(self.subjects.values()))

    def with_functions(self) -> Law | None:
        """The law of programs that know which of their loops compute the same; None if none do."""
        made = with_functions([each.program for each in self.subjects.values()])
        if made is None:
            return None
        pairs = zip(self.subjects.items(), made, strict=True)
        return replace(self, subjects={name: replace(each, program=program) for (name, each), program in pairs})


def law_of(checked: Program, task: Task, reading: Reading = PLAIN) -> Law:
    """The function that the question is about, and others that the specification names."""
    function = _called(checked, task)
    if "(" in task.specification:
        specification = read_specification(task.specification, task.name)
    else:
        specification = law_named(task.specification, parameters(checked, function))
    subjects = {function: subject(checked, function)}
    for run in specification.runs:
        if run.function and run.function not in subjects:
            other = read_checked(replace(task, function=run.function), reading)
            subjects[run.function] = subject(other, _called(other, replace(task, function=run.function)))
    return Law(specification, subjects, function, Composition(task.composition or Composition.LOCKSTEP))


def _called(checked: Program, task: Task) -> str:
    """The procedure that the question is about; a Java program knows it by itself."""
    if not task.is_java:
        return task.function
    from sorrel.frontends import java  # programs in C need nothing of this

    return java.called(checked)
