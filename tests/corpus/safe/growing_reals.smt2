; A real number that grows by half of itself stays above a third.
(set-logic HORN)
(declare-fun grown (Real) Bool)
(assert (grown 1.0))
(assert (forall ((x Real)) (=> (grown x) (grown (* x 1.5)))))
(assert (forall ((x Real)) (=> (and (grown x) (<= x (/ 1.0 3.0))) false)))
(check-sat)
