; A datatype with two constructors: what is stored is positive.
(set-logic HORN)
(declare-datatypes ((Option 0)) (((none) (some (value Int)))))
(declare-fun cell (Option) Bool)
(assert (cell none))
(assert (forall ((n Int)) (=> (and (cell none) (> n 0)) (cell (some n)))))
(assert (forall ((c Option)) (=> (and (cell c) ((_ is some) c)) (cell (some (+ (value c) 1))))))
(assert (forall ((c Option)) (=> (and (cell c) ((_ is some) c) (<= (value c) 0)) false)))
(check-sat)
