(declare-rel p)
