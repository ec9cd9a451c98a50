(declare-fun |é| (Int) Bool)
(assert (forall ((x Int)) (=> (|é| x) (or (f x) false))))
