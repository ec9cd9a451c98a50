(set-info :source "never closed)
(declare-fun p (Int) Bool)
