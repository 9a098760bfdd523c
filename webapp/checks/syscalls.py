"""Which system calls the sandbox denies, as the BPF program that bubblewrap hands to seccomp. Pure.

A list of what is denied: whatever reaches beyond the sandbox's own files and processes, makes
memory that no limit of ours counts, or speaks to parts of the kernel that no test needs. Namespaces
and file rights hold without it; it is the second wall, against mistakes in the first.

Turned down: a list of what is allowed, since interpreters and the C library use new calls each
year, and a test that fails only in here costs more than it saves; libseccomp, which is one more
system package for 300 lines of numbers. A call in another of the processor's ABIs (32 bit, x32) has
other numbers, so the first kills and the second does not exist.

Numbers are those of the kernel's `unistd_64.h` (x86_64) and `asm-generic/unistd.h` (aarch64);
layouts those of `linux/filter.h`, `linux/seccomp.h` and `linux/audit.h`.
"""

from __future__ import annotations

import errno
import struct
from typing import Final

MACHINES: Final = ("x86_64", "aarch64")
"""Names as `platform.machine()` gives them."""

_AUDIT_ARCH: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32_BIT: Final = 0x40000000

# name: number on x86_64, number on aarch64
_DENIED: Final = {
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    # mounts, roots and namespaces
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "unshare": (272, 97),
    "setns": (308, 268),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # memory that no file limit and no tmpfs bounds
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "mbind": (237, 235),
    "set_mempolicy": (238, 237),
    "set_mempolicy_home_node": (450, 450),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    # large parts of the kernel with a history of holes
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "fanotify_init": (300, 262),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "personality": (135, 92),
    "lookup_dcookie": (212, 18),
    # the machine itself
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "acct": (163, 89),
    "syslog": (103, 116),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "vhangup": (153, 58),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
}
_DENIED_X86: Final = {
    "iopl": 172,
    "ioperm": 173,
    "modify_ldt": 154,
    "uselib": 134,
    "ustat": 136,
    "sysfs": 139,
}
_CLONE: Final = {"x86_64": 56, "aarch64": 220}
_CLONE3: Final = 435
_IOCTL: Final = {"x86_64": 16, "aarch64": 29}
_SOCKETS: Final = {"x86_64": (41, 53), "aarch64": (198, 199)}  # socket, socketpair

_NEW_NAMESPACE: Final = 0x7E020080
"""CLONE_NEWTIME, NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET."""
_TERMINAL_INPUT: Final = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX: type into somebody's terminal
_FAMILIES: Final = (1, 2, 10)  # AF_UNIX, AF_INET, AF_INET6: those that the namespaces hold in

# linux/filter.h
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
# linux/seccomp.h
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER_AT, _ARCH_AT, _FIRST_ARGUMENT_AT, _SECOND_ARGUMENT_AT = 0, 4, 16, 24
_VERDICTS: Final = {
    "allow": _ALLOW,
    "deny": _ERRNO | errno.EPERM,
    "unknown": _ERRNO | errno.ENOSYS,
    "no_family": _ERRNO | errno.EAFNOSUPPORT,
    "kill": _KILL,
}


class _Program:
    """Instructions and labels; a jump may only lead forwards, at most 255 instructions."""

    def __init__(self) -> None:
        self._instructions: list[tuple[int, int, str]] = []
        self._labels: dict[str, int] = {}

    def load(self, offset: int) -> None:
        """Load 32 bits of the call's description (`struct seccomp_data`)."""
        self._instructions.append((_LOAD, offset, ""))

    def when(self, test: int, value: int, label: str) -> None:
        """Go to the label when the loaded value passes the test, else on."""
        self._instructions.append((test, value, label))

    def give(self, verdict: str) -> None:
        """End with a verdict."""
        self._instructions.append((_RETURN, _VERDICTS[verdict], ""))

    def label(self, name: str) -> None:
        """Name the place that follows."""
        self._labels[name] = len(self._instructions)

    def assembled(self) -> bytes:
        """Return the program as an array of `struct sock_filter`."""
        packed = bytearray()
        for index, (code, value, label) in enumerate(self._instructions):
            jump = self._labels[label] - index - 1 if label else 0
            packed += struct.pack("=HBBI", code, jump, 0, value)
        return bytes(packed)


def program(machine: str) -> bytes:
    """Return the filter for a processor, one of MACHINES. Raises KeyError for any other."""
    made = _Program()
    arch = _AUDIT_ARCH[machine]
    column = MACHINES.index(machine)
    made.load(_ARCH_AT)
    made.when(_IF_EQUAL, arch, "ours")
    made.give("kill")
    made.label("ours")
    made.load(_NUMBER_AT)
    if machine == "x86_64":
        made.when(_IF_AT_LEAST, _X32_BIT, "unknown")
    # Its flags lie in memory, where a filter cannot look; without it the C library uses clone.
    made.when(_IF_EQUAL, _CLONE3, "unknown")
    for numbers in _DENIED.values():
        made.when(_IF_EQUAL, numbers[column], "deny")
    if machine == "x86_64":
        for number in _DENIED_X86.values():
            made.when(_IF_EQUAL, number, "deny")
    made.when(_IF_EQUAL, _CLONE[machine], "clone")
    made.when(_IF_EQUAL, _IOCTL[machine], "ioctl")
    for number in _SOCKETS[machine]:
        made.when(_IF_EQUAL, number, "socket")
    made.give("allow")
    made.label("clone")
    made.load(_FIRST_ARGUMENT_AT)
    made.when(_IF_ANY_BIT, _NEW_NAMESPACE, "deny")
    made.give("allow")
    made.label("ioctl")
    made.load(_SECOND_ARGUMENT_AT)
    for request in _TERMINAL_INPUT:
        made.when(_IF_EQUAL, request, "deny")
    made.give("allow")
    made.label("socket")
    made.load(_FIRST_ARGUMENT_AT)
    for family in _FAMILIES:
        made.when(_IF_EQUAL, family, "allow")
    made.give("no_family")
    for verdict in ("deny", "unknown", "allow"):
        made.label(verdict)
        made.give(verdict)
    return made.assembled()
