"""Types that are told, as OCaml that checks them in a run: a call of the function with assertions around it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from sorrel.functional.refined import Refined, RefinedFunction, RefinedValue

CHECK = "sorrel_check"


def claim(path: str, refined: RefinedFunction, labels: Sequence[str] = ()) -> str:
    """A function that calls the one at the path, where the arguments are as demanded, and asserts what is promised."""
    names = [_name(part, f"sorrel_{position}") for position, part in enumerate(refined.parameters, 1)]
    given = [_handed_in(part, name) for part, name in zip(refined.parameters, names, strict=True)]
    given = [_by_label(label, text) for label, text in zip_longest(labels[: len(given)], given, fillvalue="")]
    demanded = [text for part in refined.parameters for text in _conditions(part)]
    result = _name(refined.result, "sorrel_result")
    call = f"let {result} = {path} {' '.join(given)} in {_asserted(refined.result, result)}"
    body = f"if {' && '.join(demanded)} then ({call})" if demanded else call
    return f"let {CHECK} {' '.join(names)} = {body}\n"


def _by_label(label: str, text: str) -> str:
    if not label:
        return text
    return f"{label if label.startswith('?') else f'~{label}'}:{text}"


def _name(refined: Refined, otherwise: str) -> str:
    return refined.name or otherwise if isinstance(refined, RefinedValue) else otherwise


def _conditions(refined: Refined) -> tuple[str, ...]:
    return refined.conditions if isinstance(refined, RefinedValue) else ()


def _handed_in(refined: Refined, name: str) -> str:
    """An argument; a function that asserts what it is promised to be called with."""
    if isinstance(refined, RefinedValue) or any(isinstance(part, RefinedFunction) for part in refined.parameters):
        return name
    names = [_name(part, f"sorrel_{name}_{position}") for position, part in enumerate(refined.parameters, 1)]
    checks = [_asserted(part, own) for part, own in zip(refined.parameters, names, strict=True)]
    return f"(fun {' '.join(names)} -> {'; '.join(checks)}; {name} {' '.join(names)})"


def _asserted(refined: Refined, name: str) -> str:
    if isinstance(refined, RefinedFunction):
        return "()"
    said = [f"assert ({' && '.join(refined.conditions)})"] if refined.conditions else []
    if refined.element is not None:
        module = refined.type.rpartition(" ")[2].capitalize()
        said.append(f"{module}.iter (fun {refined.element.name} -> {_asserted(refined.element, '')}) {name}")
    return "; ".join(said) or "()"
