(declare-fun p (Int
                String) Bool)
