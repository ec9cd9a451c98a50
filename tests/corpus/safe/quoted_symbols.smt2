; Symbols that need bars, symbols that do not, and one written both ways.
(set-logic HORN)
(declare-fun |loop head| (Int) Bool)
(declare-fun |plain| (Int) Bool)
(assert (forall ((|an index| Int)) (=> (= |an index| 3) (|loop head| |an index|))))
(assert (forall ((x Int)) (=> (|loop head| x) (plain x))))
(assert (forall ((x Int)) (=> (and (plain x) (not (= x 3))) false)))
(check-sat)
