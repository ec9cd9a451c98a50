; The loop overwrites the cell that the query looks at.
(set-logic HORN)
(declare-fun fill (Int (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int))) (=> (= (select a 2) 5) (fill 0 a))))
(assert (forall ((i Int) (a (Array Int Int))) (=> (and (fill i a) (< i 4)) (fill (+ i 1) (store a i 0)))))
(assert (forall ((i Int) (a (Array Int Int))) (=> (and (fill i a) (not (= (select a 2) 5))) false)))
(check-sat)
