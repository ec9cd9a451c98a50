"""Certificates that were cut, mixed up or forged: each is read or refused with a place, and none crashes the reader."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from sorrel.model.errors import InputError
from sorrel.model.options import Options
from sorrel.model.source import Source
from sorrel.process.pipeline import check_certificate

_SYSTEM = """(set-logic HORN)
(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))
(declare-fun p (Int Bool) Bool)
(declare-fun q ((List Int) (_ BitVec 8)) Bool)
(assert (forall ((x Int)) (=> (= x 0) (p x true))))
(assert (forall ((x Int) (b Bool)) (=> (p x b) (p (+ x 1) b))))
(assert (forall ((x Int) (s (List Int)) (w (_ BitVec 8)))
  (=> (and (p x true) (= s (cons x (as nil (List Int)))) (= w #x01)) (q s w))))
(assert (forall ((s (List Int)) (w (_ BitVec 8))) (=> (and (q s w) (< (head s) 0)) false)))
(check-sat)
"""
_SAFE = """(set-info :sorrel-certificate safe)
(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))
(define-fun p ((x Int) (b Bool)) Bool (>= x 0))
(define-fun q ((s (List Int)) (w (_ BitVec 8))) Bool (and ((_ is cons) s) (>= (head s) 0)))
"""
_UNSAFE = """(set-info :sorrel-certificate unsafe)
(step 0 c0 ((x 0)) ())
(step 1 c2 ((x 0) (s (cons 0 (as nil (List Int)))) (w #x01)) (0))
(step 2 c3 ((s (cons 0 (as nil (List Int)))) (w #x01)) (1))
"""
_TERMINATING = """(set-info :sorrel-certificate terminating)
(define-fun p ((x Int) (b Bool)) Bool true)
(define-fun q ((s (List Int)) (w (_ BitVec 8))) Bool true)
(rank p ((x Int)) (x))
"""
_TOKENS = re.compile(r'"(?:[^"]|"")*"|\|[^|]*\||[()]|[^\s()"|]+|\s+')
_STRANGE = (
    *("(", ")", "()", "0", "-1", "x", "Int", "Bool", "|a b|", '"s"', "true", "(_ bv3 8)", "1.5", "#x0f", "|", '"', ";"),
    *("step", "rank", "define-fun", "safe", "unsafe", "terminating", "facts", "recurrent", ":sorrel-certificate"),
    *(
        "99999999999999999999",
        "(as nil (List Int))",
        "\x00",
        "é",
        "(let ((x 1)) x)",
        "(forall ((x Int)) true)",
        "value!0",
    ),
)


def _checked(certificate: str) -> str:
    try:
        return check_certificate(Source("system.smt2", _SYSTEM), Source("proof", certificate), Options("check")).answer
    except InputError as refused:
        return f"refused at line {refused.span.line}"


@given(data=st.data())
def test_a_changed_certificate_is_read_or_refused_with_its_place(data: DataObject) -> None:
    tokens = _TOKENS.findall(data.draw(st.sampled_from((_SAFE, _UNSAFE, _TERMINATING))))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(tokens) - 1))
        match data.draw(st.sampled_from(("cut", "drop", "repeat", "copy", "strange"))):
            case "cut":
                tokens = tokens[: at + 1]
            case "drop" if len(tokens) > 1:
                del tokens[at]
            case "repeat":
                tokens.insert(at, tokens[at])
            case "copy":
                tokens[at] = tokens[data.draw(st.integers(0, len(tokens) - 1))]
            case _:
                tokens[at] = data.draw(st.sampled_from(_STRANGE))
    answer = _checked("".join(tokens))
    assert answer in ("safe", "unsafe", "unknown", "terminating") or re.fullmatch(r"refused at line [1-9]\d*", answer)
    assert answer != "unsafe"  # no derivation of this system reaches the query


@pytest.mark.parametrize("kind", ["safe", "terminating"])
def test_a_certificate_without_definitions_is_refused(kind: str) -> None:
    assert _checked(f"(set-info :sorrel-certificate {kind})\n") == "refused at line 1"


@pytest.mark.parametrize("length", range(0, len(_SAFE), 7))
def test_a_certificate_that_was_cut_is_refused(length: int) -> None:
    assert _checked(_SAFE[:length]).startswith("refused")


def test_the_certificate_itself_is_accepted() -> None:
    assert _checked(_SAFE) == "safe"
    assert _checked(_UNSAFE) == "unknown"
