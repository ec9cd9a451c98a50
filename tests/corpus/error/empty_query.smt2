(declare-rel p ())
 (query)
