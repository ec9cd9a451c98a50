; sum(n) calls itself on n - 1 while n > 0: the descent of its argument, one call after the other.
(set-logic HORN)
(declare-fun descent (Int Int) Bool)
(assert (forall ((n Int) (m Int)) (=> (and (> n 0) (= m (- n 1))) (descent n m))))
(assert (forall ((n Int) (m Int) (k Int)) (=> (and (descent n m) (> m 0) (= k (- m 1))) (descent n k))))
(dwf calls ((n Int)) ((m Int)) (descent n m))
(check-sat)
