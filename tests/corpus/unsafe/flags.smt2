; A flag flips at every step; after two steps it is down again. ite between formulas.
(set-logic HORN)
(declare-fun state (Bool Int) Bool)
(assert (state false 0))
(assert (forall ((on Bool) (n Int) (next Bool))
  (=> (and (state on n) (ite on (not next) next)) (state next (+ n 1)))))
(assert (forall ((n Int)) (=> (and (state false n) (> n 1)) false)))
(check-sat)
