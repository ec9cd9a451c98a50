"""Benchmarks: our engines and other tools on the same tasks under the same limits.

A suite (`suite`) gives tasks, the configuration (`tool`, `preset`) gives tools. The `runner` calls every
tool on every task through the `process` room's launcher, has the answer read (`reading`) and recorded
(`record`), and what is recorded is counted (`tally`) and shown (`summary`, `plots`). Nothing here imports
a solver: tools are processes, also our own.
"""
