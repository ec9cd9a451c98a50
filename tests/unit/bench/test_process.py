"""Limits hold, and no process of a run outlives it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from sorrel.bench.process import Halt, Interrupted, Limits, execute
from sorrel.model.errors import UsageError

ROOMY = Limits(wall=20, memory=None)


def python(script: str) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", script]


def is_alive(pid: int) -> bool:
    """A zombie counts as dead: it waits for its parent, not for a limit."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def wait_for_pid(file: Path) -> int:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if file.exists() and file.read_text():
            return int(file.read_text())
        time.sleep(0.02)
    raise AssertionError("the tool did not start")


def test_output_and_exit_code_come_back() -> None:
    execution = execute(python("import sys; print('sat'); print('why', file=sys.stderr); sys.exit(7)"), ROOMY)
    assert (execution.stdout, execution.stderr) == ("sat\n", "why\n")
    assert (execution.exit_code, execution.stopped) == (7, "")


def test_a_signal_is_a_negative_exit_code() -> None:
    execution = execute(python("import os; os.kill(os.getpid(), 11)"), ROOMY)
    assert execution.exit_code == -signal.SIGSEGV


def test_a_command_that_does_not_exist_is_a_failure_with_a_reason() -> None:
    execution = execute(["there-is-no-such-program"], ROOMY)
    assert "No such file" in execution.failure


def test_wall_limit_ends_a_sleeper() -> None:
    execution = execute(python("import time; time.sleep(60)"), Limits(wall=0.3))
    assert execution.stopped == "time"
    assert 0.3 <= execution.wall < 3
    assert execution.exit_code == -signal.SIGTERM


def test_a_tool_that_ignores_sigterm_is_killed_after_the_grace() -> None:
    script = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
    execution = execute(python(script), Limits(wall=0.3))
    assert execution.stopped == "time"
    assert execution.exit_code == -signal.SIGKILL
    assert 1.2 <= execution.wall < 5


def test_cpu_limit_counts_cpu_and_not_sleep() -> None:
    busy = execute(python("while True: pass"), Limits(wall=20, cpu=0.4))
    assert busy.stopped == "cpu"
    assert 0.4 <= busy.cpu < 2
    idle = execute(python("import time; time.sleep(0.6)"), Limits(wall=20, cpu=0.4))
    assert (idle.stopped, idle.exit_code) == ("", 0)
    assert idle.cpu < 0.4


def test_cpu_limit_sums_over_the_processes_of_a_run() -> None:
    script = "import os\nfor _ in range(3): os.fork()\nwhile True: pass"
    execution = execute(python(script), Limits(wall=20, cpu=0.8))
    assert execution.stopped == "cpu"


def test_address_space_of_one_process_is_limited() -> None:
    execution = execute(python("b = bytearray(400 << 20); print('sat')"), Limits(wall=20, memory=200))
    assert "MemoryError" in execution.stderr
    assert "sat" not in execution.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="memory of a group of processes is read from /proc")
def test_memory_sums_over_the_processes_of_a_run() -> None:
    script = "import os, time\nfor _ in range(2): os.fork()\nb = b'x' * (60 << 20)\ntime.sleep(30)"
    execution = execute(python(script), Limits(wall=20, memory=150))
    assert execution.stopped == "memory"
    assert execution.memory > 150


def test_peak_memory_is_the_tools_and_not_the_runners() -> None:
    small = execute(python("pass"), ROOMY)
    large = execute(python("b = b'x' * (80 << 20)"), ROOMY)
    assert 1 < small.memory < 40
    assert 80 < large.memory < 130


def test_children_end_with_the_run_when_time_is_up(tmp_path: Path) -> None:
    script = (
        "import os, time\n"
        "pid = os.fork()\n"
        f"if pid: open({str(tmp_path / 'pid')!r}, 'w').write(str(pid))\n"
        "time.sleep(60)"
    )
    execution = execute(python(script), Limits(wall=0.5))
    assert execution.stopped == "time"
    assert not is_alive(wait_for_pid(tmp_path / "pid"))


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are adopted through prctl")
def test_a_daemon_that_leaves_its_session_ends_with_the_run(tmp_path: Path) -> None:
    script = (
        "import os, signal, time\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "    if os.fork() == 0:\n"
        f"        open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
        "        time.sleep(60)\n"
        "    os._exit(0)\n"
        "time.sleep(0.3)\n"
        "print('sat')"
    )
    execution = execute(python(script), ROOMY)
    assert (execution.stopped, execution.stdout) == ("", "sat\n")
    assert not is_alive(wait_for_pid(tmp_path / "pid"))
    assert execution.wall < 5


def test_halt_ends_a_run_from_another_thread(tmp_path: Path) -> None:
    halt = Halt()
    script = f"import os, time; open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    pids: list[int] = []

    def stop() -> None:
        pids.append(wait_for_pid(tmp_path / "pid"))
        halt.request()

    thread = threading.Thread(target=stop)
    thread.start()
    with pytest.raises(Interrupted):
        execute(python(script), ROOMY, halt)
    thread.join()
    assert not is_alive(pids[0])
    with pytest.raises(Interrupted):
        execute(python("pass"), ROOMY, halt)


@pytest.mark.skipif(sys.platform != "linux", reason="the launcher learns of its parent's death through prctl")
def test_tools_end_when_the_runner_is_killed(tmp_path: Path) -> None:
    tool = f"import os, time; open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    runner = (
        "from sorrel.bench.process import Limits, execute; import sys; "
        f"execute([sys.executable, '-I', '-S', '-c', {tool!r}], Limits(wall=60))"
    )
    process = subprocess.Popen([sys.executable, "-c", runner])
    pid = wait_for_pid(tmp_path / "pid")
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    deadline = time.monotonic() + 30
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_alive(pid)


def test_limits_survive_the_way_through_text() -> None:
    for limits in (Limits(), Limits(2.5, 3.5, None), Limits(wall=900, cpu=None, memory=15000)):
        assert Limits.parse(str(limits)) == limits


@pytest.mark.parametrize("values", [{"wall": 0}, {"cpu": -1}, {"memory": -5}, {"memory": 0}])
def test_limits_are_positive(values: dict[str, int]) -> None:
    with pytest.raises(UsageError):
        Limits(**values)
