; Sixty-four, four times, is zero in a byte.
(set-logic HORN)
(declare-fun reach ((_ BitVec 8) Int) Bool)
(assert (reach #x40 1))
(assert (forall ((x (_ BitVec 8)) (n Int)) (=> (reach x n) (reach (bvadd x #x40) (+ n 1)))))
(assert (forall ((x (_ BitVec 8)) (n Int)) (=> (and (reach x n) (= x (_ bv0 8))) false)))
(check-sat)
