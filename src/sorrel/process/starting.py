"""Starting a worker process: early, so that it loads what it needs while the command line is still being read.

The worker waits for whatever is imported here. So it is the system's calls and nothing else: `subprocess` alone, with
what it imports, takes as long as starting Python.
"""

from __future__ import annotations

import os
import sys

from sorrel.model.chance import without_chance

# -P: whatever lies in the current folder must not be imported in place of our modules.
COMMAND = (sys.executable, "-P", "-m", "sorrel.process.worker")


class Started:
    """A worker that waits for its job: our ends of the pipes to it and from it, and the file of its complaints."""

    def __init__(self, command: tuple[str, ...] = COMMAND) -> None:
        standard_input, self.jobs = os.pipe()
        self.messages, standard_output = os.pipe()
        self._errors = unnamed_file()  # a pipe that nobody reads would block a talkative worker
        self._exit_code: int | None = None
        ends = (standard_input, standard_output, self._errors)
        try:
            self.pid = os.posix_spawn(
                command[0],
                command,
                without_chance(),
                file_actions=[(os.POSIX_SPAWN_DUP2, end, number) for number, end in enumerate(ends)],
                setsid=True,  # Ctrl-C is for the supervisor, which ends its workers itself
            )
        finally:
            os.close(standard_input)
            os.close(standard_output)

    def tell(self, message: bytes) -> None:
        while message:
            message = message[os.write(self.jobs, message) :]

    def is_running(self) -> bool:
        if self._exit_code is None:
            self._exit_code = self._ended(os.WNOHANG)
        return self._exit_code is None

    def exit_code(self) -> int:
        """How it ended, once it has; the negative number of the signal that ended it."""
        while self._exit_code is None:
            self._exit_code = self._ended(0)
        return self._exit_code

    def _ended(self, flags: int) -> int | None:
        try:
            ended, status = os.waitpid(self.pid, flags)
        except ChildProcessError:  # this process was told not to hear of its children, so nobody knows
            return 0
        return os.waitstatus_to_exitcode(status) if ended else None

    def complaints(self) -> str:
        return os.pread(self._errors, os.fstat(self._errors).st_size, 0).decode(errors="replace")

    def close(self) -> None:
        for descriptor in (self.jobs, self.messages, self._errors):
            os.close(descriptor)


_early: list[Started] = []


def start_early() -> None:
    """A worker for the first question; one that is not needed ends when this process does."""
    _early.append(Started())


def started() -> Started:
    return _early.pop() if _early else Started()


def unnamed_file() -> int:
    """A file that is gone when nobody has it open any more."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("sorrel")
    import tempfile

    descriptor, path = tempfile.mkstemp()
    os.unlink(path)
    return descriptor
