"""Dataclasses that are cheap to load are dataclasses: what the standard decorator makes of a class, ours makes, too."""

import copy
import dataclasses
import inspect
import pickle
from dataclasses import FrozenInstanceError, asdict, field, fields, replace
from typing import Any, get_type_hints

import pytest

from sorrel.model.values import dataclass

DECORATORS = pytest.mark.parametrize("decorator", [dataclass, dataclasses.dataclass], ids=["ours", "standard"])
FROZEN = {"frozen": True, "slots": True}
CHOICES = pytest.mark.parametrize(
    "choices",
    [
        {},
        {"frozen": True},
        {"slots": True},
        {"frozen": True, "slots": True},
        {"frozen": True, "slots": True, "eq": False},
    ],
    ids=lambda choices: " ".join(choices) or "plain",
)


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 0


@dataclass(frozen=True, slots=True)
class Named(Point):
    """A point with a name."""

    name: str = ""
    marks: list[str] = field(default_factory=list, compare=False, repr=False)


def _made(decorator: Any, choices: dict[str, bool]) -> Any:
    class Sample:
        first: int
        second: str = "two"
        third: list[int] = field(default_factory=list)
        aside: int = field(default=7, compare=False, repr=False)
        inner: int = field(default=1, init=False)

    return decorator(**choices)(Sample)


@DECORATORS
@CHOICES
def test_values_are_made_compared_and_shown_like_those_of_the_standard_decorator(
    decorator: Any, choices: dict[str, bool]
) -> None:
    sample = _made(decorator, choices)
    one, other = sample(1, third=[3]), sample(1, "two", [3], aside=8)
    assert (one == other) is choices.get("eq", True)
    assert one != sample(2)
    assert repr(one).endswith("Sample(first=1, second='two', third=[3], inner=1)")
    assert sample(1).third is not sample(1).third
    assert asdict(replace(one, first=2)) == {"first": 2, "second": "two", "third": [3], "aside": 7, "inner": 1}
    assert sample.__match_args__ == ("first", "second", "third", "aside")
    assert list(inspect.signature(sample).parameters) == ["first", "second", "third", "aside"]
    assert hasattr(one, "__dict__") is not choices.get("slots", False)
    assert get_type_hints(sample.__init__)["second"] is str
    assert (sample.__hash__ is None) is (choices.get("eq", True) and not choices.get("frozen", False))
    with pytest.raises(TypeError, match="first"):
        sample()


@DECORATORS
def test_what_a_class_defines_itself_stays(decorator: Any) -> None:
    class Sample:
        part: int

        def __eq__(self, other: object) -> bool:
            return True

        def __repr__(self) -> str:
            return "sample"

        def __post_init__(self) -> None:
            assert self.part

    sample = decorator(frozen=True)(Sample)
    assert sample(1) == sample(2)
    assert hash(sample(1)) == hash((1,))
    assert repr(sample(1)) == "sample"
    with pytest.raises(AssertionError):
        sample(0)


def test_a_frozen_value_stays_as_it_is() -> None:
    point = Point(1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'x'"):
        del point.x


def test_a_value_survives_copying_and_pickling() -> None:
    named = Named(1, 2, "n", ["a"])
    assert copy.deepcopy(named) == copy.copy(named) == pickle.loads(pickle.dumps(named)) == named


def test_values_of_different_classes_differ() -> None:
    assert Point(1) != Named(1)
    assert len({Point(1), Point(1, 0), Named(1)}) == 2


def test_fields_of_a_class_come_after_those_of_what_it_extends() -> None:
    assert [each.name for each in fields(Named)] == ["x", "y", "name", "marks"]
    assert repr(Named(1, name="n")) == "Named(x=1, y=0, name='n')"


def test_nothing_is_compiled_before_a_value_is_made() -> None:
    @dataclass
    class Fresh:
        part: int

    assert not inspect.isfunction(vars(Fresh)["__init__"])
    assert Fresh(1).part == 1
    assert inspect.isfunction(vars(Fresh)["__init__"])
