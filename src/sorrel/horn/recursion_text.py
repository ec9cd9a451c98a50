"""The text form of functions over datatypes and of lemmas about them, as certificates have them:

(define-fun-rec size-List ((l List)) Int (ite ((_ is nil) l) 0 (+ (size-List (tail l)) 1)))
(lemma ((l List)) (<= 0 (size-List l)))                      ; of every value, proved by induction
"""

from __future__ import annotations

from collections.abc import Iterator

from sorrel.horn.recursion import Lemma, Recursion, Recursive
from sorrel.logic import terms
from sorrel.logic.printing_smtlib import smtlib, smtlib_sort, symbol
from sorrel.logic.reading import Script
from sorrel.logic.sexpr import Atom, Group, SExpr, Text
from sorrel.logic.terms import Term


def write_functions(recursion: Recursion) -> Iterator[str]:
    for function in recursion.functions:
        result = smtlib_sort(function.declaration.range())
        yield f"(define-fun-rec {symbol(function.name)} ({_binder(function.formal)}) {result} {smtlib(function.body)})"


def write_lemmas(recursion: Recursion) -> Iterator[str]:
    for lemma in recursion.lemmas:
        yield f"(lemma ({_binder(lemma.formal)}) {smtlib(lemma.formula)})"


def _binder(formal: Term) -> str:
    return f"({symbol(terms.name_of(formal))} {smtlib_sort(terms.sort_of(formal))})"


def read_recursion(text: Text, script: Script, functions: list[Group], lemmas: list[Group]) -> Recursion:
    """What `write_functions` and `write_lemmas` wrote; the script knows the sorts, and then the functions."""
    for command in functions:
        match command.items:
            case (_, Atom() as name, Group(items=(Group(items=(_, sort)),)), result, body):
                declare_function(script, name.name, _source(text, sort), _source(text, result))
            case _:
                raise text.error("a function is (define-fun-rec name ((x Sort)) Sort body)", command.start)
    for command in functions:
        match command.items:
            case (_, Atom() as name, Group() as formals, _, body):
                applied = f"({symbol(name.name)} {_source(text, _name(formals))})"
                binders = _source(text, formals)
                prefix = f"(assert (forall {binders} (= {applied} "
                script.add(body.start, _end(body), prefix=prefix, suffix=")))")
    for command in lemmas:
        match command.items:
            case (_, Group(items=(Group(items=(_, _)),)) as formals, formula):
                prefix = f"(assert (forall {_source(text, formals)} "
                script.add(formula.start, _end(formula), prefix=prefix, suffix="))")
            case _:
                raise text.error("a lemma is (lemma ((x Sort)) formula)", command.start)
    found = [_opened(formula) for formula in script.parse()]
    defined = [_function(formal, equation) for formal, equation in found[: len(functions)]]
    return Recursion(tuple(defined), tuple(Lemma(formal, formula) for formal, formula in found[len(functions) :]))


def declare_function(script: Script, name: str, sort: str, result: str) -> None:
    script.add(0, 0, prefix=f"(declare-fun {symbol(name)} ({sort}) {result})")


def declare_functions(script: Script, recursion: Recursion) -> None:
    for function in recursion.functions:
        sort, result = smtlib_sort(terms.sort_of(function.formal)), smtlib_sort(function.declaration.range())
        declare_function(script, function.name, sort, result)


def _function(formal: Term, equation: Term) -> Recursive:
    applied, body = terms.children(equation)
    return Recursive(applied.decl(), formal, body)


def _opened(formula: Term) -> tuple[Term, Term]:
    ((name, sort),) = terms.bound_variables(formula)
    formal = terms.variable(name, sort)
    return formal, terms.open_quantifier(formula, [formal])


def _name(formals: Group) -> SExpr:
    first = formals.items[0]
    return first.items[0] if isinstance(first, Group) else first


def _source(text: Text, item: SExpr) -> str:
    return text.content[item.start : _end(item)]


def _end(item: SExpr) -> int:
    return item.end if isinstance(item, Group) else item.start + len(item.text)
