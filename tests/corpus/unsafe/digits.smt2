; 42 has the last digit 2.
(set-logic HORN)
(declare-fun digits (Int Int) Bool)
(assert (forall ((n Int)) (=> (= n 42) (digits n (mod n 10)))))
(assert (forall ((n Int) (d Int)) (=> (and (digits n d) (>= n 10)) (digits (div n 10) (mod (div n 10) 10)))))
(assert (forall ((n Int) (d Int)) (=> (digits n d) (distinct d 4))))
(check-sat)
