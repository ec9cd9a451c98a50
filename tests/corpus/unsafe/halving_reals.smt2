; Halving one gets below a tenth.
(set-logic HORN)
(declare-fun half (Real) Bool)
(assert (half 1.0))
(assert (forall ((x Real)) (=> (half x) (half (/ x 2.0)))))
(assert (forall ((x Real)) (=> (and (half x) (< x (/ 1.0 10.0))) false)))
(check-sat)
