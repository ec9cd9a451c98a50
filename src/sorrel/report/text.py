"""An outcome as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sorrel.model.outcome import Answer, Outcome


def model_lines(outcome: Outcome) -> Iterator[str]:
    """The summaries as a model in SMT-LIB, each with a readable comment above it."""
    yield "("
    for contract in outcome.contracts:
        arguments = f"({', '.join(contract.arguments)})" if contract.arguments else ""
        yield f"; {contract.predicate}{arguments}: {contract.infix}"
        yield contract.smtlib
    for ranking in outcome.rankings:
        yield f"; {ranking.obligation} descends by ({', '.join(ranking.components)})"
    yield ")"


def finding_lines(outcome: Outcome) -> Iterator[str]:
    """The summaries as people write them, or the fact that violates the property."""
    for contract in outcome.contracts:
        yield f"; {contract.predicate}({', '.join(contract.arguments)}): {contract.infix}"
    if len(outcome.trace) > 1:
        violating, query = outcome.trace[-2:]
        yield f"; {violating.fact} violates {query.clause}; --proof shows the run of {len(outcome.trace) - 1} calls"


def proof_lines(outcome: Outcome) -> Iterator[str]:
    """The certificate, as `sorrel check` reads it; a derivation also as readable comments."""
    for number, step in enumerate(outcome.trace):
        because = f" from {', '.join(map(str, step.premises))}" if step.premises else ""
        yield f"; {number}: {step.fact} by {step.clause}{because} ({step.origin})"
    yield from outcome.certificate.splitlines()


def reason_lines(outcome: Outcome) -> Iterator[str]:
    """Why there is no answer, as SMT-LIB comments."""
    if outcome.answer is Answer.UNKNOWN and outcome.reason:
        yield from (f"; {line}" for line in outcome.reason.message.splitlines())


def detail_lines(outcome: Outcome) -> Iterator[str]:
    """What -v adds: who decided, who confirmed, how long it took, and notes."""
    decided = f", decided by {outcome.decided_by}" if outcome.decided_by not in ("", outcome.engine) else ""
    yield f"; engine {outcome.engine}{decided}, {outcome.seconds:.2f} s"
    for confirmation in outcome.confirmations:
        word = "confirmed" if confirmation.accepted else "not confirmed"
        yield f"; {word} by {confirmation.checker} in {confirmation.seconds:.2f} s: {confirmation.detail}"
    yield from (f"; note: {note}" for note in outcome.notes)


def explanation_lines(outcome: Outcome) -> Iterator[str]:
    """The engine's deductions, one a line: call path, environment, target, rule, and what followed."""
    for number, step in enumerate(outcome.explanation.deductions, start=1):
        how = " ".join(word for word in (f"env {step.environment}" if step.environment else "", step.target) if word)
        yield f"; {number:>3}  {' → '.join(step.path)}  [{how}, {step.rule}]"
        yield f";      {step.text}"
    if outcome.explanation.tree:
        visits = sum(node.visits for node in outcome.explanation.tree)
        yield f"; derivation tree: {len(outcome.explanation.tree)} nodes, {visits} visits"


def statistics_lines(outcome: Outcome) -> Iterator[str]:
    for group, values in outcome.statistics.items():
        for name, value in values.items():
            shown = ", ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else value
            yield f"; {group}.{name}: {shown}"


def table_lines(rows: Sequence[tuple[str, Outcome | None]]) -> Iterator[str]:
    """One line for each file; None stands for a file that could not be read."""
    width = max([4, *(len(name) for name, _ in rows)])
    yield f"; {'file':<{width}}  {'answer':<8} {'engine':<16} {'seconds':>8}  reason"
    for name, outcome in rows:
        if outcome is None:
            yield f"; {name:<{width}}  {'error':<8}"
            continue
        reason = str(outcome.reason).splitlines()[0] if outcome.reason else ""
        line = f"; {name:<{width}}  {outcome.answer.chc:<8} {outcome.engine:<16} {outcome.seconds:>8.2f}  {reason}"
        yield line.rstrip()
    words = [outcome.answer.chc for _, outcome in rows if outcome is not None]
    counts = ", ".join(f"{words.count(word)} {word}" for word in ("sat", "unsat", "unknown"))
    yield f"; {len(rows)} files: {counts}, {len(rows) - len(words)} not read"
