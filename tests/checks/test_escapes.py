"""Attempts to get out of the sandbox, or to take more than its share; each of another kind.

A program prints what it got hold of; most must print nothing but what is expected.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

from tests.checks.walled import needs_sandbox, python
from webapp.checks.sandbox import Limits, Result, Sandbox
from webapp.lib import ids

pytestmark = needs_sandbox

QUICK = Limits(wall_s=5, cpu_s=4)


def running(mark: str) -> list[str]:
    """Return the processes of this machine that have the mark in their command line."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit() and entry != str(os.getpid()):
            try:
                command = Path(f"/proc/{entry}/cmdline").read_bytes()
            except OSError:
                continue
            if mark.encode() in command:
                found.append(entry)
    return found


def test_the_network_is_out_of_reach() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        port = server.getsockname()[1]
        result = python(
            f"""
import socket
for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"),
                     (socket.AF_INET, "10.0.0.1"), (socket.AF_INET, "192.0.2.1")):
    try:
        with socket.socket(family) as made:
            made.settimeout(1)
            made.connect((host, {port}))
            print("connected to", host)
    except OSError:
        pass
try:
    print(socket.getaddrinfo("example.org", 80))
except OSError:
    pass
""",
            QUICK,
        )
        assert result.text == ""
        try:
            server.accept()
        except TimeoutError:
            return
        raise AssertionError("somebody connected")


def test_sockets_beside_the_network_are_out_of_reach(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    path = str(tmp_path / "s")
    abstract = f"\0flint-{ids.new_id()}"
    with socket.socket(socket.AF_UNIX) as named, socket.socket(socket.AF_UNIX) as unnamed:
        for server, address in ((named, path), (unnamed, abstract)):
            server.bind(address)
            server.listen()
        result = python(
            f"""
import socket
for address in ({path!r}, {abstract!r}, "/run/docker.sock", "/run/dbus/system_bus_socket"):
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.connect(address)
            print("connected to", address)
    except OSError:
        pass
for family in (16, 17, 38, 40, 31, 29, 15):  # netlink, packet, alg, vsock, bluetooth, can, key
    for kind in (socket.SOCK_STREAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        try:
            socket.socket(family, kind)
            print("family", family)
        except OSError:
            pass
""",
            QUICK,
        )
    assert result.text == ""


def test_files_of_the_machine_are_out_of_reach(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("a secret")
    for each in (secret, tmp_path):
        each.chmod(0o755)
    result = python(
        f"""
import os
paths = [{str(secret)!r}, "/etc/passwd", "/etc/shadow", "/etc/hostname", "/proc/kcore",
         "/proc/1/root{secret}", "/root", "/home", "/var", "/run", "/sys", "/boot", "/mnt",
         "../../../../..{secret}"]
os.symlink({str(secret)!r}, "link")
for path in [*paths, "link"]:
    try:
        print(path, os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(100))
    except OSError:
        pass
""",
        QUICK,
    )
    assert result.text == ""


def test_the_environment_of_the_server_does_not_come_in() -> None:
    code = f"""
from tests.checks.walled import python
print(python({_ENVIRONMENT!r}).text)
"""
    told = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "FLINT_CANARY": "the key"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "read" in told.stdout
    assert "the key" not in told.stdout + told.stderr


_ENVIRONMENT = """
import os
for each in os.listdir("/proc"):
    if each.isdigit():
        try:
            print(each, "read", open(f"/proc/{each}/environ").read())
        except OSError as error:
            print(each, error)
print(dict(os.environ))
"""


def test_no_descriptor_of_the_server_is_inherited(tmp_path: Path) -> None:
    with (tmp_path / "open").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        result = python(
            """
import os
for each in sorted(os.listdir("/proc/self/fd"), key=int):
    try:
        print(each, os.readlink(f"/proc/self/fd/{each}").split(":")[0])
    except OSError:
        pass  # the folder that was just listed
""",
            QUICK,
        )
    assert result.text == "0 /dev/null\n1 pipe\n2 pipe\n"


def test_the_system_cannot_be_written_to() -> None:
    result = python(
        """
import os
for folder in ("/", "/usr", "/usr/bin", "/usr/lib", "/etc", "/dev", "/proc", "/proc/sys"):
    try:
        open(folder + "/mark", "w").close()
        print("made a file in", folder)
    except OSError:
        pass
for path in ("/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/sys/kernel/hostname",
             "/proc/sys/vm/drop_caches", "/proc/1/oom_score_adj", "/usr/bin/python3"):
    try:
        with open(path, "w") as file:
            file.write("-1000")
        print("wrote", path)
    except OSError:
        pass
""",
        QUICK,
    )
    assert result.text == ""


def test_no_rights_are_gained() -> None:
    result = python(
        """
import os
held = dict(line.split(":\\t") for line in open("/proc/self/status").read().splitlines())
print({name: held[name] for name in ("CapEff", "CapPrm", "CapBnd", "NoNewPrivs", "Seccomp")})
for gain in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setgroups([0]),
             lambda: os.chroot("/tmp"), lambda: os.nice(-5), lambda: os.mknod("/tmp/d", 0o60600, 1),
             lambda: os.chmod("/usr/bin/env", 0o777)):
    try:
        gain()
        print("gained", gain.__code__.co_names)
    except OSError:
        pass
""",
        QUICK,
    )
    none = "0" * 16
    expected = {"CapEff": none, "CapPrm": none, "CapBnd": none, "NoNewPrivs": "1", "Seccomp": "2"}
    assert result.text == f"{expected}\n"


def test_system_calls_that_lead_out_are_denied() -> None:
    result = python(
        """
import ctypes, errno, fcntl, os, platform, subprocess
libc = ctypes.CDLL(None, use_errno=True)
arm = platform.machine() == "aarch64"
calls = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "mount": (165, 40),
    "unshare": (272, 97), "setns": (308, 268), "bpf": (321, 280), "io_uring_setup": (425, 425),
    "keyctl": (250, 219), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "open_by_handle_at": (304, 265), "memfd_create": (319, 279), "shmget": (29, 194),
    "fsopen": (430, 430), "kexec_load": (246, 104), "personality": (135, 92),
}
for name, numbers in calls.items():
    ctypes.set_errno(0)
    code = libc.syscall(numbers[arm], 0, 0x10000000, 0, 0, 0, 0)
    if (code, ctypes.get_errno()) != (-1, errno.EPERM):
        print(name, code, ctypes.get_errno())
for flag in (0x10000000, 0x20000000, 0x40000000, 0x00020000):
    if libc.syscall((56, 220)[arm], flag | 17, 0, 0, 0, 0) >= 0:
        print("a namespace", hex(flag))
for request in (0x5412, 0x541C):
    try:
        fcntl.ioctl(1, request, b"x")
        print("typed", hex(request))
    except OSError as error:
        if error.errno != errno.EPERM:
            print(hex(request), error)
""",
        QUICK,
    )
    assert (result.exit_code, result.text) == (0, "")


def test_no_process_outside_is_seen_or_ended() -> None:
    result = python(
        f"""
import os, signal
print(sum(each.isdigit() for each in os.listdir("/proc")), os.path.exists("/proc/{os.getpid()}"))
for target in ({os.getpid()}, {os.getppid()}, -1):
    try:
        os.kill(target, signal.SIGTERM) if target > 2 else os.kill(target, 0)
    except OSError:
        pass
""",
        QUICK,
    )
    assert result.text == f"2 {os.getpid() == 2}\n"


def test_killing_the_first_process_ends_nothing_but_the_sandbox() -> None:
    result = Sandbox().run({}, ["sh", "-c", "kill -9 1; kill -9 -1; echo still here"], QUICK)
    assert result.seconds < QUICK.wall_s
    assert Sandbox().run({}, ["true"], QUICK).passed


def test_root_runs_it_as_somebody_else() -> None:
    mark = ids.new_id()
    result: list[Result] = []
    thread = threading.Thread(
        target=lambda: result.append(Sandbox().run({}, ["sh", "-c", "sleep 1", mark], QUICK))
    )
    thread.start()
    owners: set[int] = set()
    while thread.is_alive():
        for pid in running(mark):
            try:
                command = Path(f"/proc/{pid}/cmdline").read_bytes()
                if command.startswith(b"sh\0-c\0sleep"):
                    owners.add(os.stat(f"/proc/{pid}").st_uid)
            except OSError:
                continue
    assert owners == {os.getuid() or Sandbox().uid}
    assert result[0].passed


def test_a_fork_bomb_is_bounded_and_leaves_nobody() -> None:
    mark = ids.new_id()
    program = b"""
import os, time
made = 0
try:
    while made < 5000:
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        made += 1
except OSError:
    print("stopped", made < 100)
"""
    result = Sandbox().run({"bomb.py": program}, ["python3", "bomb.py", mark], QUICK)
    assert "stopped True" in result.text
    assert running(mark) == []
    assert result.seconds < QUICK.wall_s


def test_what_is_left_running_ends_with_the_command() -> None:
    mark = ids.new_id()
    result = python(
        f"""
import os, signal, sys
told, tell = os.pipe()
if os.fork() == 0:
    os.setsid()
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    if os.fork() == 0:
        os.set_inheritable(tell, True)
        script = f"echo up >&{{tell}}; exec 1>&- 2>&-; while :; do sleep 9; done"
        os.execvp("sh", ["sh", "-c", script, "{mark}"])
    os._exit(0)
print(os.read(told, 2))
""",
        QUICK,
    )
    assert result.text == "b'up'\n"
    assert running(mark) == []
    assert result.seconds < QUICK.wall_s


def test_a_daemon_that_holds_the_pipe_does_not_hold_us() -> None:
    result = Sandbox().run({}, ["sh", "-c", "(trap '' TERM HUP; sleep 60) & echo done"], QUICK)
    assert (result.exit_code, result.text) == (0, "done\n")
    assert result.seconds < QUICK.wall_s


def test_one_that_ignores_signals_and_closes_its_output_is_ended() -> None:
    limits = Limits(wall_s=0.6)
    result = Sandbox().run(
        {}, ["sh", "-c", "trap '' TERM INT HUP; exec 1>&- 2>&-; sleep 60"], limits
    )
    assert result.timed_out
    assert result.seconds < 5


def test_memory_is_counted_over_all_processes() -> None:
    result = python(
        """
import os, time
for each in range(8):
    if os.fork() == 0:
        held = bytearray(40_000_000)
        time.sleep(60)
        os._exit(0)
time.sleep(60)
""",
        Limits(wall_s=20, memory_bytes=200_000_000),
    )
    assert result.out_of_memory
    assert result.exit_code is None


def test_the_disk_is_bounded() -> None:
    result = python(
        """
import os
for folder in ("/project", "/tmp", "/dev/shm"):
    written = 0
    try:
        for number in range(100):
            with open(f"{folder}/{number}", "wb") as file:
                file.write(bytes(1_000_000))
            written += 1
    except OSError:
        pass
    print(folder, written)
try:
    with open("/project/0", "wb") as file:
        for _ in range(100):
            file.write(bytes(1_000_000))
            file.flush()
    print("a file of any size")
except OSError:
    pass
""",
        Limits(work_bytes=8_000_000, tmp_bytes=4_000_000, file_bytes=3_000_000),
    )
    told = {line.split()[0]: int(line.split()[1]) for line in result.text.splitlines()}
    assert told["/project"] <= 8
    assert told["/tmp"] <= 4
    assert told["/dev/shm"] <= 5


def test_a_flood_of_output_is_cut_and_ended() -> None:
    result = python("while True: print('A' * 1000)", Limits(wall_s=20, output_bytes=10_000))
    assert (result.exit_code, result.truncated, result.timed_out) == (None, True, False)
    assert result.output.startswith(b"AAAA")
    assert len(result.output) == 10_000


def test_it_does_not_outlive_the_server() -> None:
    mark = ids.new_id()
    code = f"""
import os, sys, threading
from webapp.checks.sandbox import Sandbox
box = threading.Thread(target=Sandbox().run, args=({{}}, ["sh", "-c", "sleep 60", "{mark}"]))
box.start()
from tests.checks.test_escapes import running
while not running("{mark}"):
    pass
os.kill(os.getpid(), 9)
"""
    subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)
    gone = threading.Event()
    for _ in range(100):
        if not running(mark):
            break
        gone.wait(0.05)
    assert running(mark) == []
