"""What can be asked about a program: each property is a set of kinds of assertions that must hold."""

from __future__ import annotations

from enum import StrEnum

from sorrel.errors import UsageError


class Property(StrEnum):
    """Named as SV-COMP names them, where it does."""

    ASSERTIONS = "assertions"
    UNREACH_CALL = "unreach-call"
    NO_OVERFLOW = "no-overflow"
    VALID_DEREF = "valid-deref"
    NO_DIVISION_BY_ZERO = "no-division-by-zero"
    TERMINATION = "termination"

    @property
    def kinds(self) -> frozenset[str]:
        """Values of `program.statement.Kind`: which assertions of a program must hold."""
        return _KINDS[self]

    @property
    def sentence(self) -> str:
        return _SENTENCES[self]

    @property
    def specification(self) -> str:
        """The property in the words of SV-COMP, as witnesses repeat it."""
        return f"CHECK( init(main()), LTL({_FORMULAS[self]}) )"


_KINDS = {
    Property.ASSERTIONS: frozenset({"assertion", "error-call"}),
    Property.UNREACH_CALL: frozenset({"error-call"}),
    Property.NO_OVERFLOW: frozenset({"overflow"}),
    Property.VALID_DEREF: frozenset({"bounds"}),
    Property.NO_DIVISION_BY_ZERO: frozenset({"division"}),
    Property.TERMINATION: frozenset(),
}
_SENTENCES = {
    Property.ASSERTIONS: "every assertion holds and reach_error is not called",
    Property.UNREACH_CALL: "reach_error is not called",
    Property.NO_OVERFLOW: "signed arithmetic does not overflow",
    Property.VALID_DEREF: "every access stays within its object",
    Property.NO_DIVISION_BY_ZERO: "nothing is divided by zero",
    Property.TERMINATION: "the program ends",
}
_FORMULAS = {
    Property.ASSERTIONS: "G ! call(reach_error())",
    Property.UNREACH_CALL: "G ! call(reach_error())",
    Property.NO_OVERFLOW: "G ! overflow",
    Property.VALID_DEREF: "G valid-deref",
    Property.NO_DIVISION_BY_ZERO: "G ! division-by-zero",
    Property.TERMINATION: "F end",
}
_OTHER_NAMES = {
    "assert": Property.ASSERTIONS,
    "assertion": Property.ASSERTIONS,
    "unreach-error": Property.UNREACH_CALL,
    "reach-error": Property.UNREACH_CALL,
    "overflow": Property.NO_OVERFLOW,
    "bounds": Property.VALID_DEREF,
    "valid-memsafety": Property.VALID_DEREF,
    "memsafety": Property.VALID_DEREF,
    "division-by-zero": Property.NO_DIVISION_BY_ZERO,
    "no-div-by-zero": Property.NO_DIVISION_BY_ZERO,
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
