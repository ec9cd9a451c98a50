; Two queries, one of them a negated existential; a clause whose head is true says nothing.
(set-logic HORN)
(set-info :source |written for this suite,
over two lines|)
(declare-fun |counts| (Int) Bool)
(assert (|counts| 0))
(assert (forall ((x Int)) (=> (and (counts x) (< x 10)) (counts (+ x 2)))))
(assert (forall ((x Int)) (=> (counts x) true)))
(assert (forall ((x Int)) (not (and (counts x) (> x 11)))))
(assert (not (exists ((x Int)) (and (counts x) (= x 7)))))
(check-sat)
(get-model)
