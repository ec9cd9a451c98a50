; A rule that comes too late for the query before it.
(declare-rel p ())
(query p)
(rule p)
