"""Functions that are defined together, in groups that really call each other; what does not recur is no recursion."""

from __future__ import annotations

from sorrel.functional.term import Definition, Let, Recursive, Term, children, free_names, with_children
from sorrel.model.components import strongly_connected


def in_groups(term: Term) -> Term:
    """The term with each group of definitions split into its strongly connected components, callees first."""
    inner = with_children(term, tuple(in_groups(child) for child in children(term)))
    return _split(inner) if isinstance(inner, Recursive) else inner


def _split(term: Recursive) -> Term:
    named = {each.binder.name: each for each in term.definitions}
    uses = {name: tuple(n for n in free_names(each.value) if n in named) for name, each in named.items()}
    body = term.body
    for group in reversed(strongly_connected(uses)):
        # Definitions are values, so that their order does not matter to a run.
        if len(group) > 1 or group[0] in uses[group[0]]:
            members = tuple(Definition(named[name].binder, named[name].value) for name in named if name in group)
            body = Recursive(members, body, term.span)
        else:
            only = named[group[0]]
            body = Let(only.binder, only.value, body, term.span)
    return body
