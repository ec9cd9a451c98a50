(declare-rel p (Int))
(declare-rel p (Int Int))
