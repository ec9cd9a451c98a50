(declare-fun p (Int Int) Bool)
(set-info :sorrel-predicate "p (x input)")
(assert (p 0 0))
