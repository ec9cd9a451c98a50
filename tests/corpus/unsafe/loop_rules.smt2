; The loop runs once too often. The query names a relation alone: with any arguments.
(declare-rel loop (Int Int))
(declare-rel |over run| (Int))
(declare-var i Int)
(declare-var n Int)
(rule (=> (and (= i 0) (= n 3)) (loop i n)))
(rule (let ((next (+ i 1))) (=> (and (loop i n) (<= i n)) (loop next n))))
(rule (=> (and (loop i n) (> i n)) (|over run| i)))
(query |over run|)
