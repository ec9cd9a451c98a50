"""A functional program: one term to evaluate, and the data that it uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from sorrel.functional.interface import Interface
from sorrel.functional.syntax import TopLevel
from sorrel.functional.term import Term
from sorrel.functional.type import Data, Type
from sorrel.model.values import dataclass


@dataclass(frozen=True)
class Program:
    """`body` is the definitions in order, and in the end a call of `entry` with any arguments (if there is one).

    `declared` are the types of the functions and values that the user defined at top level, for people;
    `assumptions` is what was taken for granted in reading, in words. If all functions are asked about, in place of an
    entry, `body` ends in a tuple of them: `offered` are their names, with those of their parameters. Type variables of
    theirs are types of which nothing is known.
    """

    body: Term
    data: Mapping[str, Data]
    entry: str = ""
    declared: Mapping[str, Type] = field(default_factory=dict)
    assumptions: tuple[str, ...] = ()
    offered: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    interface: Interface = field(default_factory=Interface)


@dataclass(frozen=True, slots=True)
class File:
    """One file as it was read; in a program of several, it is the module of its name."""

    name: str
    module: str
    definitions: tuple[TopLevel, ...] = ()
