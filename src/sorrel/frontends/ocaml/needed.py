"""What a program needs of a library: values that nothing mentions are not there, and take no time to be typed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cached_property

from sorrel.functional.program import File
from sorrel.functional.syntax import LetDefinition, ModuleDefinition, TopLevel
from sorrel.model.errors import Span
from sorrel.model.values import dataclass


@dataclass(frozen=True, eq=False)
class Library:
    """`file` defines values without effects, so that nobody notices one that is missing and not mentioned."""

    file: File

    def needed(self, files: Sequence[File], function: str) -> File:
        """The library without values that neither the files mention, nor the function, nor what is left of it."""
        wanted = {function}
        for file in files:
            wanted |= _words(file.definitions)
        wanted |= self._always
        left = dict(self._values)
        while found := [key for key, (names, _) in left.items() if not names.isdisjoint(wanted)]:
            for key in found:
                wanted |= left.pop(key)[1]
        return replace(self.file, definitions=_without(self.file.definitions, left.keys()))

    @cached_property
    def _values(self) -> dict[int, tuple[frozenset[str], frozenset[str]]]:
        """By the definition's identity: the names that it defines, and those that it mentions."""
        lets = (each for each in _flat(self.file.definitions) if isinstance(each, LetDefinition))
        pairs = ((each, frozenset[str]().union(*(_words(one.pattern) for one in each.bindings))) for each in lets)
        return {id(each): (names, _words(each)) for each, names in pairs if names and all(map(_is_word, names))}

    @cached_property
    def _always(self) -> frozenset[str]:
        """What is mentioned by that which is always there: types, exceptions, operators, names of modules."""
        rest = [each for each in _flat(self.file.definitions) if id(each) not in self._values]
        return frozenset[str]().union(*map(_words, rest))


def _is_word(name: str) -> bool:
    """Not an operator: those are mentioned by other names, too."""
    return name[0].isalpha()


def _flat(definitions: Iterable[TopLevel]) -> Iterator[TopLevel]:
    """The definitions with those inside of modules, but not the modules themselves."""
    for each in definitions:
        if isinstance(each, ModuleDefinition):
            yield from _flat(each.definitions)
        else:
            yield each


def _without(definitions: Iterable[TopLevel], missing: Iterable[int]) -> tuple[TopLevel, ...]:
    absent = frozenset(missing)
    kept = (each for each in definitions if id(each) not in absent)
    return tuple(
        replace(each, definitions=_without(each.definitions, absent)) if isinstance(each, ModuleDefinition) else each
        for each in kept
    )


def _words(root: object) -> frozenset[str]:
    """All texts in a tree: names, parts of paths, and what happens to be written between quotes."""
    found: set[str] = set()
    pending = [root]
    while pending:
        each = pending.pop()
        if isinstance(each, str):
            found.add(each)
        elif isinstance(each, tuple | frozenset):
            pending.extend(each)
        elif is_dataclass(each) and not isinstance(each, Span):
            pending.extend(getattr(each, field.name) for field in fields(each))
    return frozenset(found)
