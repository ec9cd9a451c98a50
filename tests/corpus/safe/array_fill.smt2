; A cell, once written, keeps its value.
(set-logic HORN)
(declare-fun fill (Int (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int))) (=> (= (select a 0) 5) (fill 1 a))))
(assert (forall ((i Int) (a (Array Int Int))) (=> (and (fill i a) (< i 8)) (fill (+ i 1) (store a i 0)))))
(assert (forall ((i Int) (a (Array Int Int))) (=> (and (fill i a) (not (= (select a 0) 5))) false)))
(check-sat)
