(declare-sort Thing 0)
(declare-fun p (Thing) Bool)
