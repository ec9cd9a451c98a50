"""Running before proving: values to try, probes, exploration, lassos, runs beside those of a compiler."""
