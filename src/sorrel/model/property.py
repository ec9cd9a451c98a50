"""What can be asked about a program: each property is a set of kinds of assertions that must hold."""

from __future__ import annotations

from enum import StrEnum

from sorrel.model.errors import UsageError


class Property(StrEnum):
    """Named as SV-COMP names them, where it does."""

    ASSERTIONS = "assertions"
    UNREACH_CALL = "unreach-call"
    NO_OVERFLOW = "no-overflow"
    VALID_DEREF = "valid-deref"
    VALID_FREE = "valid-free"
    VALID_MEMTRACK = "valid-memtrack"
    VALID_MEMCLEANUP = "valid-memcleanup"
    VALID_MEMSAFETY = "valid-memsafety"
    NO_DIVISION_BY_ZERO = "no-division-by-zero"
    NO_UNINITIALISED_READ = "no-uninitialised-read"
    NO_EXCEPTIONS = "no-exceptions"
    NO_DATA_RACE = "no-data-race"
    NO_DEADLOCK = "no-deadlock"
    TERMINATION = "termination"
    NONINTERFERENCE = "noninterference"
    CONSTANT_TIME = "constant-time"
    CONSTANT_STEPS = "constant-steps"
    SPECIFICATION = "specification"

    @property
    def is_relational(self) -> bool:
        """Whether it is about several runs at once."""
        return "leak" in self.kinds

    @property
    def is_about_checks(self) -> bool:
        """Whether it is about checks that the program makes itself, so that there may be none."""
        return self in (Property.ASSERTIONS, Property.UNREACH_CALL)

    @property
    def runs(self) -> str:
        """What the sentence is said of."""
        return _RUNS.get(self, "every run")

    @property
    def kinds(self) -> frozenset[str]:
        """Values of `program.statement.Kind`: which assertions of a program must hold."""
        return _KINDS[self]

    @property
    def sentence(self) -> str:
        return _SENTENCES[self]

    @property
    def weaknesses(self) -> tuple[int, ...]:
        """What goes wrong where it is violated, in the numbers of the Common Weakness Enumeration."""
        return _WEAKNESSES.get(self, ())

    def said_of(self, source: str) -> str:
        """The sentence in the words of the language that the source is written in."""
        return _OCAML_SENTENCES.get(self, self.sentence) if source.endswith(".ml") else self.sentence

    @property
    def specification(self) -> str:
        """The property in the words of SV-COMP, as witnesses repeat it; it has none for several runs at once."""
        if self.is_relational:
            raise UsageError(f"witnesses are not defined for {self}")
        parts = MEMORY_SAFETY if self is Property.VALID_MEMSAFETY else (self,)
        return "\n".join(f"CHECK( init(main()), LTL({_FORMULAS[part]}) )" for part in parts)


_KINDS = {
    Property.ASSERTIONS: frozenset({"assertion", "error-call"}),
    Property.UNREACH_CALL: frozenset({"error-call"}),
    Property.NO_OVERFLOW: frozenset({"overflow"}),
    Property.VALID_DEREF: frozenset({"bounds", "lifetime"}),
    Property.VALID_FREE: frozenset({"free"}),
    Property.VALID_MEMTRACK: frozenset({"untracked"}),
    Property.VALID_MEMCLEANUP: frozenset({"not-freed"}),
    Property.VALID_MEMSAFETY: frozenset({"bounds", "lifetime", "free", "untracked"}),
    Property.NO_DIVISION_BY_ZERO: frozenset({"division"}),
    Property.NO_UNINITIALISED_READ: frozenset({"uninitialised"}),
    Property.NO_EXCEPTIONS: frozenset(),
    Property.NO_DATA_RACE: frozenset({"race"}),
    Property.NO_DEADLOCK: frozenset({"deadlock"}),
    Property.TERMINATION: frozenset(),
    Property.NONINTERFERENCE: frozenset({"leak"}),
    Property.CONSTANT_TIME: frozenset({"leak"}),
    Property.CONSTANT_STEPS: frozenset({"leak"}),
    Property.SPECIFICATION: frozenset({"leak"}),
}
MEMORY_SAFETY = (Property.VALID_DEREF, Property.VALID_FREE, Property.VALID_MEMTRACK)
"""The parts of `valid-memsafety`."""
_ALIKE = "any two runs with equal public inputs"
_RUNS = {
    Property.NONINTERFERENCE: _ALIKE,
    Property.CONSTANT_TIME: _ALIKE,
    Property.CONSTANT_STEPS: _ALIKE,
    Property.SPECIFICATION: "all runs that satisfy the precondition",
}
_SENTENCES = {
    Property.ASSERTIONS: "every assertion holds and reach_error is not called",
    Property.UNREACH_CALL: "reach_error is not called",
    Property.NO_OVERFLOW: "signed arithmetic does not overflow",
    Property.VALID_DEREF: "every memory access is within a live object",
    Property.VALID_FREE: "only live allocations are freed",
    Property.VALID_MEMTRACK: "no allocated memory is lost",
    Property.VALID_MEMCLEANUP: "all allocated memory is freed at exit",
    Property.VALID_MEMSAFETY: "every memory access is within a live object, only live allocations are freed, "
    "and no memory is lost",
    Property.NO_DIVISION_BY_ZERO: "there is no division by zero",
    Property.NO_UNINITIALISED_READ: "no uninitialised value is read",
    Property.NO_EXCEPTIONS: "every exception is handled",
    Property.NO_DEADLOCK: "no thread waits for an event that can no longer happen",
    Property.NO_DATA_RACE: "no two threads access an object at the same time while one of them writes it",
    Property.TERMINATION: "the program terminates",
    Property.NONINTERFERENCE: "the observed values are equal",
    Property.CONSTANT_TIME: "the branches and memory accesses are the same",
    Property.CONSTANT_STEPS: "the number of steps is the same",
    Property.SPECIFICATION: "the postcondition holds",
}
_WEAKNESSES = {
    Property.ASSERTIONS: (617,),
    Property.UNREACH_CALL: (617,),
    Property.NO_OVERFLOW: (190,),
    Property.VALID_DEREF: (119, 125, 416, 787),
    Property.VALID_FREE: (415, 763),
    Property.VALID_MEMTRACK: (401,),
    Property.VALID_MEMCLEANUP: (401,),
    Property.VALID_MEMSAFETY: (119, 401, 415),
    Property.NO_DIVISION_BY_ZERO: (369,),
    Property.NO_UNINITIALISED_READ: (457, 908),
    Property.NO_EXCEPTIONS: (248,),
    Property.NO_DATA_RACE: (362,),
    Property.NO_DEADLOCK: (833,),
    Property.TERMINATION: (835,),
    Property.NONINTERFERENCE: (200,),
    Property.CONSTANT_TIME: (208,),
    Property.CONSTANT_STEPS: (208,),
}
_OCAML_SENTENCES = {
    Property.ASSERTIONS: "every assertion holds",
    Property.NO_OVERFLOW: "no integer leaves its 63 bits",
    Property.VALID_DEREF: "every index stays within its array or string",
}
_FORMULAS = {
    Property.ASSERTIONS: "G ! call(reach_error())",
    Property.UNREACH_CALL: "G ! call(reach_error())",
    Property.NO_OVERFLOW: "G ! overflow",
    Property.VALID_DEREF: "G valid-deref",
    Property.VALID_FREE: "G valid-free",
    Property.VALID_MEMTRACK: "G valid-memtrack",
    Property.VALID_MEMCLEANUP: "G valid-memcleanup",
    Property.NO_DIVISION_BY_ZERO: "G ! division-by-zero",
    Property.NO_UNINITIALISED_READ: "G ! uninitialised-read",
    Property.NO_DATA_RACE: "G ! data-race",
    Property.NO_DEADLOCK: "G ! deadlock",
    Property.TERMINATION: "F end",
}
_OTHER_NAMES = {
    "assert": Property.ASSERTIONS,
    "assertion": Property.ASSERTIONS,
    "unreach-error": Property.UNREACH_CALL,
    "reach-error": Property.UNREACH_CALL,
    "overflow": Property.NO_OVERFLOW,
    "bounds": Property.VALID_DEREF,
    "memsafety": Property.VALID_MEMSAFETY,
    "memcleanup": Property.VALID_MEMCLEANUP,
    "division-by-zero": Property.NO_DIVISION_BY_ZERO,
    "no-div-by-zero": Property.NO_DIVISION_BY_ZERO,
    "uninitialised": Property.NO_UNINITIALISED_READ,
    "uninitialized": Property.NO_UNINITIALISED_READ,
    "no-uninitialized-read": Property.NO_UNINITIALISED_READ,
    "data-race": Property.NO_DATA_RACE,
    "races": Property.NO_DATA_RACE,
    "deadlock": Property.NO_DEADLOCK,
    "non-interference": Property.NONINTERFERENCE,
    "information-flow": Property.NONINTERFERENCE,
}


def property_named(word: str) -> Property:
    """A property by its name or one of its other names."""
    if word in _OTHER_NAMES:
        return _OTHER_NAMES[word]
    try:
        return Property(word)
    except ValueError:
        raise UsageError(
            f"there is no property {word}; there are: {', '.join(Property)}, or a property file (.prp)"
        ) from None
