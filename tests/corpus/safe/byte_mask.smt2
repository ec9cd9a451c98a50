; The lowest bit of a byte stays clear when twos are added.
(set-logic HORN)
(declare-fun reach ((_ BitVec 8)) Bool)
(assert (reach #x00))
(assert (forall ((x (_ BitVec 8))) (=> (reach x) (reach (bvadd x #x02)))))
(assert (forall ((x (_ BitVec 8))) (=> (reach x) (= ((_ extract 0 0) x) #b0))))
(check-sat)
