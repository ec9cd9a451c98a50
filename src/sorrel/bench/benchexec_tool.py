"""Sorrel for BenchExec: `tool="sorrel.bench.benchexec_tool"` in a benchmark definition."""

from __future__ import annotations

from typing import Any

import benchexec.result as result
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task
from benchexec.tools.template import BaseTool2

_VIOLATIONS = {
    "no-overflow": result.RESULT_FALSE_OVERFLOW,
    "valid-deref": result.RESULT_FALSE_DEREF,
    "valid-free": result.RESULT_FALSE_FREE,
    "valid-memtrack": result.RESULT_FALSE_MEMTRACK,
    "termination": result.RESULT_FALSE_TERMINATION,
}


class Tool(BaseTool2):  # type: ignore[misc]
    """How Sorrel is started on a task, and what its answer means."""

    def name(self) -> str:
        return "Sorrel"

    def executable(self, tool_locator: Any) -> str:
        return str(tool_locator.find_executable("sorrel"))

    def version(self, executable: str) -> str:
        return str(self._version_from_tool(executable, line_prefix="sorrel"))

    def cmdline(self, executable: str, options: list[str], task: Any, rlimits: Any) -> list[str]:
        model = get_data_model_from_task(task, {ILP32: "ILP32", LP64: "LP64"})
        more = ["--data-model", model] if model and "--data-model" not in options else []
        if task.property_file:
            more += ["--property", task.property_file]
        if rlimits.cputime:
            more += ["--timeout", str(rlimits.cputime)]
        return [executable, "verify", *options, *more, *task.input_files]

    def determine_result(self, run: Any) -> str:
        """By the first line; which part of memory safety was violated is told below it."""
        if run.was_timeout:
            return str(result.RESULT_TIMEOUT)
        if not run.output:
            return str(result.RESULT_ERROR)
        match run.output[0].strip().split(","):
            case ["safe"]:
                return str(result.RESULT_TRUE_PROP)
            case ["unsafe"]:
                return str(self._violated(run))
            case ["unknown"] | ["safe", _]:
                return str(result.RESULT_UNKNOWN)
            case _:
                return f"{result.RESULT_ERROR} ({run.exit_code.value})"

    def _violated(self, run: Any) -> Any:
        asked = " ".join(map(str, run.cmdline))
        return next((word for name, word in _VIOLATIONS.items() if name in asked), result.RESULT_FALSE_REACH)
