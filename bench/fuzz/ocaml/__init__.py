"""OCaml programs whose verdicts the compiler decides, with all their inputs."""
