; a comment
  (declare-rel   p (Int Integer))
(query p)
