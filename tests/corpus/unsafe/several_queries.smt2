; The first query holds, the second does not.
(set-logic HORN)
(declare-fun counts (Int) Bool)
(assert (counts 0))
(assert (forall ((x Int)) (=> (and (counts x) (< x 10)) (counts (+ x 2)))))
(assert (forall ((x Int)) (not (and (counts x) (= x 7)))))
(assert (not (exists ((x Int)) (and (counts x) (= x 6)))))
(check-sat)
