; Bool arguments, a nullary predicate, and let before the implication: the flag is up only after a step.
(set-logic HORN)
(declare-fun state (Bool Int) Bool)
(declare-fun started () Bool)
(assert started)
(assert (=> started (state false 0)))
(assert (forall ((on Bool) (n Int)) (let ((next (not on)) (more (+ n 1))) (=> (state on n) (state next more)))))
(assert (forall ((on Bool) (n Int)) (=> (and (state on n) on (<= n 0)) false)))
(check-sat)
