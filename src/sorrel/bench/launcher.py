"""Runs one command under limits, as a small program of its own: `python -I -S launcher.py SPECIFICATION FD`.

It stands between the benchmark runner and the tool for three reasons. It adopts orphans (a child
subreaper), so that a process that leaves its process group is still counted and still ended. It is
small, so the peak memory that the system carries over from a process to the program it becomes stays
near zero. And when the runner dies, even by SIGKILL, the launcher is told and ends the tool.

It must not import anything of Sorrel: it runs without the site packages. The specification is JSON:
command, wall, cpu, memory (bytes), output (bytes), grace. The report, JSON too, goes to the descriptor FD.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import select
import signal
import sys
import time
from typing import Any, NamedTuple

INTERVAL = 0.1  # seconds between two looks at the processes of the run
PATIENCE = 10.0  # seconds to wait for killed processes to disappear
SET_PARENT_DEATH_SIGNAL = 1
SET_CHILD_SUBREAPER = 36
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
RESIDENT_UNIT = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss


class Process(NamedTuple):
    """A living process of the run; `cpu` includes the children it has waited for."""

    pid: int
    cpu: float
    resident: int


class Status(NamedTuple):
    code: int  # as in subprocess: negative for a signal
    moment: float


def control(operation: int, argument: int) -> None:
    """`prctl`, where there is one: elsewhere orphans are reached through their process group only."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(operation, argument, 0, 0, 0)


def read_process(pid: int) -> tuple[int, Process] | None:
    """The parent and the figures of one process, or None when it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            text = file.read()
    except OSError:
        return None
    # The name in parentheses may hold anything, so count from its end.
    fields = text[text.rindex(b")") + 2 :].split()
    cpu = sum(int(field) for field in fields[11:15]) / TICKS
    return int(fields[1]), Process(pid, cpu, int(fields[21]) * PAGE)


def descendants() -> list[Process]:
    """Every living process below this one, zombies included; empty where there is no /proc."""
    try:
        pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []
    children: dict[int, list[Process]] = {}
    for pid in pids:
        found = read_process(pid)
        if found is not None:
            children.setdefault(found[0], []).append(found[1])
    below: list[Process] = []
    pending = [os.getpid()]
    while pending:
        family = children.get(pending.pop(), [])
        below.extend(family)
        pending.extend(process.pid for process in family)
    return below


class SupervisedCommand:
    """One command from its start until none of its processes is left."""

    def __init__(self, specification: dict[str, Any]) -> None:
        self.command: list[str] = specification["command"]
        self.wall: float = specification["wall"]
        self.cpu: float | None = specification["cpu"]
        self.memory: int | None = specification["memory"]
        self.output: int = specification["output"]
        self.grace: float = specification["grace"]
        self.root = 0
        self.status: Status | None = None
        self.peak = 0
        self.interrupted = False
        self.failure = ""
        self.wake_read, self.wake_write = os.pipe()
        for descriptor in (self.wake_read, self.wake_write):
            os.set_blocking(descriptor, False)

    def perform(self) -> dict[str, Any]:
        control(SET_CHILD_SUBREAPER, 1)
        control(SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)
        signal.set_wakeup_fd(self.wake_write)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self.interrupt)
        began = time.monotonic()
        self.start()
        stopped = self.watch(began + self.wall)
        if stopped:
            self.send(signal.SIGTERM)
            self.wait_for_all(self.grace)
        self.end_all()
        ended = self.status.moment if self.status else time.monotonic()
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return {
            "wall": ended - began,
            "cpu": usage.ru_utime + usage.ru_stime,
            "memory": max(self.peak, usage.ru_maxrss * RESIDENT_UNIT),
            "exit_code": self.status.code if self.status else None,
            "stopped": stopped,
            "failure": self.failure,
        }

    def interrupt(self, *_: object) -> None:
        self.interrupted = True

    def start(self) -> None:
        """Fork, limit, execute; a command that cannot be executed leaves its reason in `failure`."""
        trouble_read, trouble_write = os.pipe()
        self.root = os.fork()
        if self.root == 0:
            try:
                self.become_tool()
            except BaseException as error:
                os.write(trouble_write, str(error).encode())
            os._exit(127)
        os.close(trouble_write)
        # The descriptor closes when the command is executed, so this waits for that moment only.
        with os.fdopen(trouble_read, "rb") as trouble:
            self.failure = trouble.read().decode(errors="replace")

    def become_tool(self) -> None:
        os.setsid()
        control(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, tools expect not to
            signal.signal(number, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if self.cpu is not None:
            seconds = max(1, int(-(-self.cpu // 1)))
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        if self.memory is not None:
            # The soft limit only: a tool that limits its own children needs room to set theirs.
            resource.setrlimit(resource.RLIMIT_AS, (self.memory, resource.RLIM_INFINITY))
        os.execvp(self.command[0], self.command)

    def watch(self, deadline: float) -> str:
        """Wait for the command; the name of the limit it passed, or nothing when it ended by itself."""
        look = time.monotonic()
        while True:
            self.reap()
            if self.status is not None:
                return ""
            if self.interrupted:
                return "interrupted"
            now = time.monotonic()
            if now >= deadline:
                return "time"
            if now >= look:
                passed = self.passed_limit()
                if passed:
                    return passed
                look = time.monotonic() + INTERVAL
            self.sleep(min(deadline, look) - time.monotonic())

    def sleep(self, seconds: float) -> None:
        """Until a signal arrives, for at most so long."""
        ready, _, _ = select.select([self.wake_read], [], [], max(0.0, seconds))
        if ready:
            os.read(self.wake_read, 4096)

    def passed_limit(self) -> str:
        living = descendants()
        self.peak = max(self.peak, sum(process.resident for process in living))
        if self.memory is not None and self.peak > self.memory:
            return "memory"
        if self.cpu is not None:
            usage = resource.getrusage(resource.RUSAGE_CHILDREN)
            reaped = usage.ru_utime + usage.ru_stime
            if reaped + sum(process.cpu for process in living) > self.cpu:
                return "cpu"
        if any(os.fstat(descriptor).st_size > self.output for descriptor in (1, 2)):
            return "output"
        return ""

    def reap(self) -> None:
        while True:
            try:
                pid, status, _ = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self.root:
                self.status = Status(os.waitstatus_to_exitcode(status), time.monotonic())

    def send(self, number: int) -> None:
        for process in descendants():
            self.signal_one(process.pid, number)
        if self.status is None:
            self.signal_one(-self.root, number)

    @staticmethod
    def signal_one(pid: int, number: int) -> None:
        try:
            os.kill(pid, number)
        except (ProcessLookupError, PermissionError):
            return

    def wait_for_all(self, seconds: float) -> None:
        """Give the processes time to end on their own."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.reap()
            if self.status is not None and not descendants():
                return
            self.sleep(min(0.02, until - time.monotonic()))

    def end_all(self) -> None:
        """Kill until nothing is left: a process may have forked between the look and the signal."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            self.reap()
            if self.status is not None and not descendants():
                return
            self.send(signal.SIGKILL)
            self.sleep(0.005)


def main() -> None:
    specification, descriptor = json.loads(sys.argv[1]), int(sys.argv[2])
    os.set_inheritable(descriptor, False)
    report = SupervisedCommand(specification).perform()
    with os.fdopen(descriptor, "w") as file:
        json.dump(report, file)


if __name__ == "__main__":
    main()
