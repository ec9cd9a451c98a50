((declare-fun p () Bool))
