(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((s String)) (=> (= (str.len s) 3) (p (str.len s)))))
