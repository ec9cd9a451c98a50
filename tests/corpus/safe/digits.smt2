; div and mod by ten: a last digit lies between 0 and 9. ite chooses the sign.
(set-logic HORN)
(declare-fun digits (Int Int) Bool)
(assert (forall ((n Int) (m Int)) (=> (= m (ite (< n 0) (- n) n)) (digits m (mod m 10)))))
(assert (forall ((n Int) (d Int)) (=> (and (digits n d) (>= n 10)) (digits (div n 10) (mod (div n 10) 10)))))
(assert (forall ((n Int) (d Int)) (=> (digits n d) (and (<= 0 d) (<= d 9)))))
(check-sat)
