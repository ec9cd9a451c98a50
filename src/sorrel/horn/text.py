"""The one text form of systems, certificates and facts: SMT-LIB, and the few words of our own explained here.

A system is an ordinary HORN script. Names, roles and origins travel in `set-info`, which other tools skip; in
strings, because z3 takes nothing else there:

    (set-info :sorrel-predicate "p (x input) (y output)")        ; also (y.1 output 1 y): run 1 of y
    (set-info :sorrel-clause "c0 ""file.smt2"" 3 1 5 20")        ; names the next assertion, and its place
    (dwf d0 ((x Int)) ((x1 Int)) (T x x1))                       ; a command, so that no tool can overlook it

A certificate says what it is, and then holds definitions or steps:

    (set-info :sorrel-certificate safe)                          ; or unsafe, terminating, facts
    (define-fun p ((x Int) (y Int)) Bool (<= x y))
    (step 0 c0 ((x 1) (y 2)) ())                                 ; number, clause, values, premises
    (loop 1 2 1000000 0)                                         ; first and last step, rounds, the premise carried on
    (rank d0 ((x Int)) (x))                                      ; obligation, its variables before, components
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sorrel.horn.clause import Clause, Predicate, Role, WellFounded
from sorrel.horn.recursion import NOTHING, Recursion
from sorrel.horn.recursion_text import declare_functions, read_recursion, write_functions, write_lemmas
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import ROUND, Derivation, Loop, Rank, Ranks, Safe, Step, Summaries, Terminating, Unsafe
from sorrel.logic import datatypes, terms, walk
from sorrel.logic.printing_smtlib import smtlib, smtlib_sort, symbol
from sorrel.logic.reading import Script
from sorrel.logic.sexpr import Atom, Group, SExpr, Text, commands, read
from sorrel.logic.terms import Term
from sorrel.model.errors import InputError, InternalError
from sorrel.model.values import dataclass

# Writing


def write_system(system: HornSystem) -> str:
    lines = ["(set-logic HORN)", *datatypes.declare(_sorted_things(system))]
    for predicate in system.predicates:
        sorts = " ".join(map(smtlib_sort, predicate.sorts))
        lines.append(f"(declare-fun {symbol(predicate.name)} ({sorts}) Bool)")
        if predicate.arguments:
            lines.append(_predicate_info(predicate))
    for clause in system.clauses:
        lines.append(_clause_info(clause))
        lines.append(f"(assert {smtlib_clause(clause)})")
    lines.extend(map(_write_obligation, system.obligations))
    lines.append("(check-sat)")
    return "\n".join(lines) + "\n"


def smtlib_clause(clause: Clause) -> str:
    """The clause as a closed formula, literally: an atom that stands twice in the body is written twice."""
    _require_own_names(clause)
    premise = [*terms.conjuncts(terms.conjunction([clause.constraint])), *(atom.term for atom in clause.body)]
    head = clause.head.term if clause.head else terms.FALSE
    matrix = smtlib(terms.implication(terms.joined(premise), head))
    return f"(forall ({_binders(clause.variables)}) {matrix})" if clause.variables else matrix


def _require_own_names(clause: Clause) -> None:
    """Text knows variables by name only, so no two may share one, nor have that of a function."""
    names = [terms.name_of(variable) for variable in clause.variables]
    taken = {predicate.name for predicate in clause.predicates} | walk.function_names(clause.formula)
    if len(set(names)) != len(names) or not taken.isdisjoint(names):
        raise InternalError(f"a variable of clause {clause.name} has the name of another symbol")


def _binders(variables: Iterable[Term]) -> str:
    return " ".join(f"({symbol(terms.name_of(v))} {smtlib_sort(v.sort())})" for v in variables)


def _sorted_things(system: HornSystem) -> Iterable[Term]:
    for predicate in system.predicates:
        yield from predicate.formals
    for clause in system.clauses:
        yield from walk.one_of_each_sort(clause.formula)


def _predicate_info(predicate: Predicate) -> str:
    words = []
    for argument in predicate.arguments:
        copy = f" {argument.copy} {symbol(argument.base or argument.name)}" if argument.copy is not None else ""
        words.append(f"({symbol(argument.name)} {argument.role}{copy})")
    return _note("predicate", f"{symbol(predicate.name)} {' '.join(words)}")


def _note(kind: str, content: str) -> str:
    quoted = content.replace('"', '""')
    return f'(set-info :sorrel-{kind} "{quoted}")'


def _clause_info(clause: Clause) -> str:
    o = clause.origin
    file = o.file.replace('"', '""')
    place = f"{o.line} {o.column} {o.end_line} {o.end_column}"
    return _note("clause", f'{symbol(clause.name)} "{file}" {place}')


def _write_obligation(obligation: WellFounded) -> str:
    atoms = [smtlib(atom.term) for atom in obligation.relation]
    relation = f"(and {' '.join(atoms)})" if len(atoms) > 1 else "".join(atoms) or "true"
    name = symbol(obligation.name)
    return f"(dwf {name} ({_binders(obligation.before)}) ({_binders(obligation.after)}) {relation})"


def write_definition(predicate: Predicate, body: Term) -> str:
    return f"{_beginning(predicate)}{smtlib(body)})"


def _beginning(predicate: Predicate) -> str:
    """A definition without its body and the last parenthesis."""
    return f"(define-fun {symbol(predicate.name)} ({_binding(predicate)}) Bool "


def _binding(predicate: Predicate) -> str:
    return " ".join(f"({symbol(a.name)} {smtlib_sort(a.sort)})" for a in predicate.arguments)


def write_summaries(
    system: HornSystem, summaries: Summaries, kind: str = "safe", recursion: Recursion = NOTHING
) -> str:
    """A certificate of safety, or with kind `facts` known inductive summaries."""
    lines = [f"(set-info :sorrel-certificate {kind})", *datatypes.declare(_sorted_things(system))]
    lines += [*write_functions(recursion), *write_lemmas(recursion)]
    lines.extend(
        write_definition(system.predicate[name], body) for name, body in summaries.items() if name in system.predicate
    )
    return "\n".join(lines) + "\n"


def write_ranks(system: HornSystem, summaries: Summaries, ranks: Ranks) -> str:
    """A certificate that the obligations hold: summaries, and ranks for each obligation."""
    lines = []
    for obligation in system.obligations:
        for rank in ranks.get(obligation.name, ()):
            components = " ".join(map(smtlib, rank.components))
            lines.append(f"(rank {symbol(obligation.name)} ({_binders(obligation.before)}) ({components}))\n")
    return write_summaries(system, summaries, "terminating") + "".join(lines)


def write_derivation(system: HornSystem, derivation: Derivation) -> str:
    lines = ["(set-info :sorrel-certificate unsafe)", *datatypes.declare(_sorted_things(system))]
    for number, step in enumerate(derivation.steps):
        values = " ".join(f"({symbol(terms.name_of(v))} {smtlib(value)})" for v, value in step.values.items())
        premises = " ".join(map(str, step.premises))
        lines.append(f"(step {number} {symbol(step.clause)} ({values}) ({premises}))")
    lines += [f"(loop {loop.first} {loop.last} {loop.count} {loop.entry})" for loop in derivation.loops]
    return "\n".join(lines) + "\n"


# Reading


@dataclass(frozen=True, slots=True)
class Facts:
    """Summaries without the claim that they settle a query."""

    summaries: Summaries


_LINES = ("set-info", "define-fun", "define-fun-rec", "lemma", "step", "loop", "rank")


def read_certificate(system: HornSystem, content: str, file: str = "") -> Safe | Unsafe | Terminating | Facts:
    """A certificate for the system, as `write_summaries`, `write_derivation` and `write_ranks` write it.

    A model printed by another solver, a list of `define-fun`, is read as a certificate of safety.
    """
    text = Text(_without_answer(content), file)
    kind = ""
    definitions: list[Group] = []
    steps: list[Group] = []
    loops: list[Group] = []
    functions: list[Group] = []
    lemmas: list[Group] = []
    ranks: list[Group] = []
    for start, end in _commands_inside_model(text):
        command = read(text, start, end)
        words = command.items if isinstance(command, Group) else ()
        match [w.text if isinstance(w, Atom) else "" for w in words]:
            case ["set-info", ":sorrel-certificate", claim, *_]:
                kind = claim
            case ["define-fun", *_] if isinstance(command, Group):
                definitions.append(command)
            case ["step", *_] if isinstance(command, Group):
                steps.append(command)
            case ["loop", *_] if isinstance(command, Group):
                loops.append(command)
            case ["define-fun-rec", *_] if isinstance(command, Group):
                functions.append(command)
            case ["lemma", *_] if isinstance(command, Group):
                lemmas.append(command)
            case ["rank", *_] if isinstance(command, Group):
                ranks.append(command)
            case ["set-info" | "set-logic" | "set-option" | "declare-datatypes" | "declare-datatype", *_]:
                pass
            case _:
                raise text.error(
                    "not a line of a certificate",
                    start,
                    hint="Expected set-info, define-fun, define-fun-rec, lemma, step, loop or rank.",
                )
    kind = kind or ("unsafe" if steps else "safe" if definitions or not system.predicates else "")
    if kind == "unsafe":
        return Unsafe(_read_steps(system, text, steps, _read_loops(text, loops)))
    if kind == "terminating":
        return Terminating(_read_definitions(system, text, definitions), _read_ranks(system, text, ranks))
    if kind not in ("safe", "facts"):
        raise InputError("this is not a certificate", text.span(0), hint="It holds no definitions and no steps.")
    recursion = read_recursion(text, _script(system, text), functions, lemmas) if functions else NOTHING
    summaries = _read_definitions(system, text, definitions, recursion)
    return Safe(summaries, recursion=recursion) if kind == "safe" else Facts(summaries)


def read_definition(predicate: Predicate, content: str, file: str, arguments: Sequence[Term]) -> Term:
    """What a text that is a single definition, as `write_definition` writes it, says of a predicate's arguments."""
    text = Text(content, file)
    places = list(commands(text))
    beginning = _beginning(predicate)
    basic = predicate.arguments and all(map(terms.basic_name, predicate.sorts))
    if basic and content.startswith(beginning) and places == [(0, len(content))]:
        # Word for word what would be written, and no parenthesis closes what another one opened: z3 reads the rest.
        script = Script(text)
        prefix = f"(assert (forall ({_binding(predicate)}) "
        script.add(len(beginning), len(content) - 1, prefix=prefix, suffix="))")
        (formula,) = script.parse()
        return terms.open_quantifier(formula, arguments)
    found = [read(text, start, end) for start, end in places]
    match found:
        case [Group(items=(Atom(text="define-fun"), *_)) as definition]:
            body = _read_definitions(HornSystem((predicate,), ()), text, [definition])[predicate.name]
            return terms.substitute(body, list(zip(predicate.formals, arguments, strict=True)))
    raise text.error("this is not one definition", 0)


def _without_answer(content: str) -> str:
    """The text without a first line that only says sat or unsat, as solvers print it before a model."""
    first, newline, _ = content.partition("\n")
    return " " * len(first) + content[len(first) :] if newline and first.strip() in ("sat", "unsat") else content


def _commands_inside_model(text: Text) -> Iterable[tuple[int, int]]:
    """The commands of the text; `(model …)` or a bare pair of parentheses around them is looked through."""
    found = list(commands(text))
    if len(found) == 1:
        whole = read(text, *found[0])
        if isinstance(whole, Group) and any(isinstance(item, Group) for item in whole.items[:2]):
            items = [item for item in whole.items if isinstance(item, Group)]
            if whole.items[:1] and (isinstance(whole.items[0], Group) or whole.items[0].text == "model"):
                return [(item.start, item.end) for item in items]
    return found


def _script(system: HornSystem, text: Text) -> Script:
    """A script in which the sorts of the system are known."""
    script = Script(text)
    for command in datatypes.declare(_sorted_things(system)):
        script.add(0, 0, prefix=command)
    return script


def _read_definitions(
    system: HornSystem, text: Text, definitions: list[Group], recursion: Recursion = NOTHING
) -> Summaries:
    script = _script(system, text)
    declare_functions(script, recursion)
    places: dict[str, int] = {}
    for definition in definitions:
        match definition.items:
            case (_, Atom() as name, Group() as formals, _, body):
                pass
            case _:
                raise text.error("a definition is (define-fun name ((x Sort) …) Bool body)", definition.start)
        predicate = system.predicate.get(name.name)
        if predicate is None:
            raise text.error(f"the system has no predicate {name.name}", name.start)
        if name.name in places:
            raise text.error(f"{name.name} is defined twice", name.start)
        if len(formals.items) != len(predicate.arguments):
            raise text.error(
                f"{name.name} takes {len(predicate.arguments)} arguments, not {len(formals.items)}",
                formals.start,
            )
        binders = text.content[formals.start : formals.end]
        prefix, suffix = (f"(assert (forall {binders} ", "))") if formals.items else ("(assert ", ")")
        script.add(body.start, _end(body), prefix=prefix, suffix=suffix)
        places[name.name] = formals.start
    summaries: dict[str, Term] = {}
    for name_, formula in zip(places, script.parse(), strict=True):
        predicate = system.predicate[name_]
        if not predicate.arguments:
            summaries[name_] = formula
            continue
        sorts = [sort for _, sort in terms.bound_variables(formula)]
        if not all(own.eq(sort) for own, sort in zip(predicate.sorts, sorts, strict=True)):
            raise text.error(f"the arguments of {name_} have other sorts than in the system", places[name_])
        summaries[name_] = terms.open_quantifier(formula, predicate.formals)
    return summaries


def _end(item: SExpr) -> int:
    return item.end if isinstance(item, Group) else item.start + len(item.text)


def _read_ranks(system: HornSystem, text: Text, commands_: list[Group]) -> Ranks:
    script = _script(system, text)
    known = {obligation.name: obligation for obligation in system.obligations}
    plan: list[tuple[WellFounded, int]] = []
    for command in commands_:
        match command.items:
            case (_, Atom() as name, Group() as binders, Group() as components) if name.name in known:
                obligation = known[name.name]
            case _:
                raise text.error("a rank is (rank obligation ((x Sort) …) (component …))", command.start)
        if " ".join(text.content[binders.start + 1 : binders.end - 1].split()) != _binders(obligation.before):
            raise text.error(f"these are not the variables before a step of {obligation.name}", binders.start)
        before = text.content[binders.start : binders.end]
        prefix, suffix = (f"(assert (forall {before} (<= 0 ", ")))") if binders.items else ("(assert (<= 0 ", "))")
        for component in components.items:
            script.add(component.start, _end(component), prefix=prefix, suffix=suffix)
        plan.append((obligation, len(components.items)))
    formulas = iter(script.parse())
    ranks: dict[str, list[Rank]] = {}
    for obligation, size in plan:
        parsed = [_opened(next(formulas), obligation.before) for _ in range(size)]
        ranks.setdefault(obligation.name, []).append(Rank(tuple(terms.children(part)[1] for part in parsed)))
    return {name: tuple(found) for name, found in ranks.items()}


def _opened(formula: Term, variables: tuple[Term, ...]) -> Term:
    return terms.open_quantifier(formula, variables) if variables else formula


def _read_loops(text: Text, commands_: list[Group]) -> tuple[Loop, ...]:
    loops = []
    for command in commands_:
        words = [item.text for item in command.items[1:] if isinstance(item, Atom)]
        if len(words) != 4 or len(command.items) != 5 or not all(word.isdecimal() for word in words):
            raise text.error("a loop is (loop first last rounds premise), four numbers", command.start)
        loops.append(Loop(*map(int, words)))
    return tuple(loops)


def _read_steps(system: HornSystem, text: Text, commands_: list[Group], loops: tuple[Loop, ...]) -> Derivation:
    script = _script(system, text)
    script.add(0, 0, prefix=f"(declare-fun {terms.name_of(ROUND)} () Int)")
    # Bounds are the checker's to look at; here they only say which values may speak of rounds.
    inside = {number for loop in loops for number in range(loop.first, min(loop.last, len(commands_)) + 1)}
    plan: list[tuple[str, list[tuple[Term, int]], tuple[int, ...]]] = []
    count = 0
    for command in commands_:
        match command.items:
            case (_, Atom() as number, Atom() as clause, Group() as values, Group() as premises):
                pass
            case _:
                raise text.error("a step is (step number clause ((x value) …) (premise …))", command.start)
        if number.text != str(len(plan)):
            raise text.error(f"step {len(plan)} is expected here", number.start)
        known = system.clause.get(clause.name)
        if known is None:
            raise text.error(f"the system has no clause {clause.name}", clause.start)
        by_name = {terms.name_of(v): v for v in known.variables}
        variables: list[tuple[Term, int]] = []
        for item in values.items:
            match item:
                case Group(items=(Atom() as name, value)) if name.name in by_name:
                    variable = by_name.pop(name.name)
                case _:
                    raise text.error(f"not a value of a variable of clause {clause.name}", item.start)
            declared = f"(declare-fun value!{count} () {smtlib_sort(variable.sort())})"
            prefix = f"{declared}(assert (= value!{count} "
            script.add(value.start, _end(value), prefix=prefix, suffix="))")
            count += 1
            variables.append((variable, value.start))
        numbers = [int(p.text) for p in premises.items if isinstance(p, Atom) and p.text.isdecimal()]
        if len(numbers) != len(premises.items):
            raise text.error("premises are numbers of steps", premises.start)
        plan.append((clause.name, variables, tuple(numbers)))
    equations = iter(script.parse())
    return Derivation(
        tuple(
            Step(
                name, {v: _read_value(text, v, next(equations), at, number in inside) for v, at in variables}, premises_
            )
            for number, (name, variables, premises_) in enumerate(plan)
        ),
        loops,
    )


def _read_value(text: Text, variable: Term, equation: Term, at: int, in_loop: bool) -> Term:
    """The right-hand side, if it is a value; (- 1) is one, though z3 reads it as an operation."""
    value = terms.simplify(terms.children(equation)[1])
    if not value.sort().eq(variable.sort()) or not (in_loop or terms.is_value(value)):
        raise text.error(f"not a value of the sort {smtlib_sort(variable.sort())}", at)
    return value


def read_note(quoted: str) -> tuple[SExpr, ...]:
    """The items of a note, given as the string of its `set-info`; none if it cannot be read."""
    content = f"({quoted[1:-1].replace(chr(34) * 2, chr(34))})"
    try:
        found = read(Text(content), 0, len(content))
    except InputError:
        return ()
    return found.items if isinstance(found, Group) else ()


def parse_roles(items: tuple[SExpr, ...]) -> tuple[str, Role, int | None, str | None] | None:
    """(name role [copy base]) of a `:sorrel-predicate` note, or None if it is something else."""
    match items:
        case (Atom() as name, Atom(text=role)) if role in set(Role):
            return name.name, Role(role), None, None
        case (Atom() as name, Atom(text=role), Atom(text=copy), Atom() as base) if role in set(Role):
            return (name.name, Role(role), int(copy), base.name) if copy.isdecimal() else None
    return None
