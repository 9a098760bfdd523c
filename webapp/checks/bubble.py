"""How bubblewrap is called: what the command sees of the machine, and as whom it runs. Pure, but
that it looks at how the system's folders lie.

What holds inside: its own user, pid, ipc, uts, net and cgroup namespaces, no further ones; a
network with nothing but its own loopback; no capability; the system's programs and libraries,
read-only; `/project`, `/tmp` and `/dev/shm` in memory, each with a size; an environment of a few
names. Nothing else of the machine is there: no /etc but for what the loader needs, no /home, /root,
/run, /sys or /var.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

LEAST_VERSION: Final = (0, 8, 0)
"""Of bubblewrap: the first with `--disable-userns`; `--size` came with 0.7."""

WORK: Final = "/project"
_TMP: Final = "/tmp"  # noqa: S108 - the sandbox's own, in memory
_SHM_BYTES: Final = 4 * 2**20
_INNER_ID: Final = 1000
_SYSTEM_FOLDERS: Final = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_SYSTEM_FILES: Final = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime")
_ENVIRONMENT: Final = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": _TMP,
    "USER": "flint",
    "LOGNAME": "flint",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
}
_UNPACK: Final = 'tar -xf - --no-same-owner --no-same-permissions && exec "$@" </dev/null'
_WORD_FILE: Final = "/.word"
_ON_ITS_WORD: Final = f"read -r _ <{_WORD_FILE} && {_UNPACK}"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a command may use. Times in seconds, sizes in bytes.

    `memory_bytes` is for all its processes together, `address_bytes`, `cpu_s`, `file_bytes` and
    `open_files` for each of them; `output_bytes` are kept of what it prints.
    """

    wall_s: float = 20.0
    cpu_s: int = 15
    memory_bytes: int = 512 * 2**20
    address_bytes: int = 8 * 2**30
    processes: int = 64
    file_bytes: int = 16 * 2**20
    open_files: int = 256
    work_bytes: int = 64 * 2**20
    tmp_bytes: int = 32 * 2**20
    output_bytes: int = 256 * 2**10


def arguments(
    bwrap: str,
    command: tuple[str, ...],
    limits: Limits,
    *,
    filter_fd: int,
    block_fd: int,
    word_fd: int,
    info_fd: int,
) -> list[str]:
    """Return the command that runs `command` walled in, on the files of a tar on its input.

    It waits until `block_fd` is written to, and tells the first inner process's id on `info_fd`.
    Nothing is run without a line on `word_fd`, which is read to its end: whoever starts it may end
    before bubblewrap asks to end with them, and an end of `block_fd` lets bubblewrap go on.
    """
    made = [bwrap, "--info-fd", str(info_fd), "--block-fd", str(block_fd)]
    made += ["--seccomp", str(filter_fd)]
    made += ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net"]
    made += ["--unshare-cgroup-try", "--disable-userns", "--cap-drop", "ALL"]
    made += ["--uid", str(_INNER_ID), "--gid", str(_INNER_ID), "--hostname", "sandbox"]
    # Without the first the command could type into our terminal, without the second what it
    # leaves running would stay: bubblewrap ends with the thread that started it, or with the
    # command, and all that is inside ends with bubblewrap.
    made += ["--new-session", "--die-with-parent"]
    made += ["--ro-bind", "/usr", "/usr"]
    for name in _SYSTEM_FOLDERS:
        folder = f"/{name}"
        if os.path.islink(folder):
            made += ["--symlink", os.readlink(folder), folder]
        elif os.path.isdir(folder):
            made += ["--ro-bind", folder, folder]
    for path in _SYSTEM_FILES:
        made += ["--ro-bind-try", path, path]
    made += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]
    made += ["--size", str(_SHM_BYTES), "--tmpfs", "/dev/shm"]  # noqa: S108 - the sandbox's own
    made += ["--size", str(limits.tmp_bytes), "--perms", "1777", "--tmpfs", _TMP]
    made += ["--size", str(limits.work_bytes), "--tmpfs", WORK]
    made += ["--file", str(word_fd), _WORD_FILE]
    made += ["--remount-ro", "/", "--chdir", WORK, "--clearenv"]
    for name, value in _ENVIRONMENT.items():
        made += ["--setenv", name, value]
    # Inside, where only the namespace's own processes count against their number.
    made += ["--", "prlimit", *_rlimits(limits)]
    return [*made, "/bin/sh", "-c", _ON_ITS_WORD, "sh", *command]


def _rlimits(limits: Limits) -> list[str]:
    most = {
        "cpu": limits.cpu_s,
        "as": limits.address_bytes,
        "nproc": limits.processes,
        "fsize": limits.file_bytes,
        "nofile": limits.open_files,
        "core": 0,
        "memlock": 0,
        "msgqueue": 0,
    }
    return [f"--{name}={value}:{value}" for name, value in most.items()]
