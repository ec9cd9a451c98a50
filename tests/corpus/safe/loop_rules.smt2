; A counting loop in the dialect of rules and queries.
(declare-rel loop (Int Int))
(declare-rel error ())
(declare-var i Int)
(declare-var n Int)
(rule (=> (and (= i 0) (>= n 0)) (loop i n)) start)
(rule (=> (and (loop i n) (< i n)) (loop (+ i 1) n)) step)
(rule (=> (and (loop i n) (not (< i n)) (not (= i n))) error))
(query error :print-certificate true)
