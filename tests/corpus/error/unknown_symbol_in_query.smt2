(declare-rel p (Int))
(declare-var x Int)
  (query (and (p x) (> y 0)) :print-certificate true)
