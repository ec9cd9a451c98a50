(declare-fun p (Int) Bool)
(assert (forall ((größe Int)) (p größe)))
