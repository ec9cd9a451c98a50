; even and odd call each other, upwards from 0: no odd number is below 1.
(set-logic HORN)
(declare-fun even (Int) Bool)
(declare-fun odd (Int) Bool)
(assert (forall ((n Int)) (=> (= n 0) (even n))))
(assert (forall ((n Int) (m Int)) (=> (and (even m) (= n (+ m 1))) (odd n))))
(assert (forall ((n Int) (m Int)) (=> (and (odd m) (= n (+ m 1))) (even n))))
(assert (forall ((n Int)) (=> (and (odd n) (< n 1)) false)))
(check-sat)
