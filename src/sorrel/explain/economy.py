"""Whether contracts, as they are told, say nothing twice and say enough: judged from their texts alone, by a solver."""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.encode import tidying
from sorrel.encode.contracts import Told
from sorrel.encode.encoding import Encoding
from sorrel.encode.points import Place
from sorrel.encode.readback import Readback
from sorrel.horn.clause import Clause
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle, Unsat


@dataclass(frozen=True, slots=True)
class Callers:
    """Clauses of callers that are valid with what is proved of callees; `need_more`: not with what is told alone."""

    valid: int
    need_more: int


def redundant(encoding: Encoding, told: Told, oracle: Oracle) -> list[str]:
    """Facts that the others imply, together with what is required and what the types say."""
    contract = told.contract
    known = [
        *_meant(encoding, told, contract.requires, oracle, at_entry=True),
        *(
            fact
            for meaning, formal in zip(told.point.meanings, told.point.predicate.formals, strict=True)
            if meaning.variable
            for fact in tidying.type_range(formal, meaning.variable.type)
        ),
    ]
    facts = [(text, _meant(encoding, told, [text], oracle)) for text in contract.conjuncts]
    found = []
    for position, (text, meant) in enumerate(facts):
        others = [each for at, (_, more) in enumerate(facts) if at != position for each in more]
        if meant and oracle.entails(terms.conjunction([*known, *others]), meant[0], "redundant") is True:
            found.append(text)
    return found


def callers(encoding: Encoding, proved: Summaries, told: Sequence[Told], oracle: Oracle) -> Callers:
    """Whether what is told of callees is enough for what is told of their callers, and for what is proved of loops."""
    said = {
        each.point.predicate.name: terms.conjunction(_meant(encoding, each, each.contract.conjuncts, oracle))
        for each in told
        if each.point.place is Place.FUNCTION
    }
    valid = need_more = 0
    group = {name: at for at, names in enumerate(encoding.system.call_graph.components) for name in names}
    for clause in encoding.system.clauses:
        own = group[clause.head.predicate.name] if clause.head else None
        called = [a.predicate.name for a in clause.body if a.predicate.name in said and group[a.predicate.name] != own]
        if not called:
            continue
        head = clause.head.predicate.name if clause.head else ""
        wanted = said.get(head, proved.get(head, terms.FALSE))
        if _is_valid(clause, proved, wanted, oracle):
            valid += 1
            need_more += not _is_valid(clause, {**proved, **{name: said[name] for name in called}}, wanted, oracle)
    return Callers(valid, need_more)


def _is_valid(clause: Clause, known: Summaries, wanted: Term, oracle: Oracle) -> bool:
    calls = [terms.substitute(known[atom.predicate.name], atom.bind()) for atom in clause.body]
    denied = [terms.negation(terms.substitute(wanted, clause.head.bind()))] if clause.head else []
    return isinstance(oracle.check(clause.constraint, *calls, *denied, kind="economy"), Unsat)


def _meant(
    encoding: Encoding, told: Told, texts: Sequence[str], oracle: Oracle, *, at_entry: bool = False
) -> list[Term]:
    back = Readback(told.point, encoding.semantics, [], oracle)
    known = told.known.at_entry if at_entry else told.known
    found = (back.meant([text], known) for text in texts)
    return [each for each in found if each is not None]
