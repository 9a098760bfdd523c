"""The filter, read by a small machine as the kernel would read it."""

from __future__ import annotations

import errno
import struct

import pytest

from webapp.checks import syscalls

ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
ALLOW, ERRNO, KILL = 0x7FFF0000, 0x00050000, 0x80000000
DENIED, UNKNOWN = ERRNO | errno.EPERM, ERRNO | errno.ENOSYS


def verdict(machine: str, number: int, *arguments: int, arch: int | None = None) -> int:
    """Return what the filter says of a call."""
    padded = [*arguments, *[0] * 6][:6]
    data = struct.pack("=IIQ6Q", number, arch or ARCH[machine], 0, *padded)
    program = list(struct.iter_unpack("=HBBI", syscalls.program(machine)))
    held, at = 0, 0
    while True:
        code, yes, no, value = program[at]
        if code == 0x20:
            held = struct.unpack_from("=I", data, value)[0]
        elif code == 0x06:
            return value
        else:
            passes = {0x15: held == value, 0x35: held >= value, 0x45: bool(held & value)}[code]
            at += yes if passes else no
        at += 1


@pytest.mark.parametrize("machine", syscalls.MACHINES)
def test_a_program_is_short_enough_for_its_jumps(machine: str) -> None:
    assert len(syscalls.program(machine)) % 8 == 0
    assert len(syscalls.program(machine)) // 8 < 255


@pytest.mark.parametrize(
    ("machine", "number"),
    [("x86_64", 101), ("aarch64", 117), ("x86_64", 165), ("aarch64", 40), ("x86_64", 173)],
)
def test_what_is_on_the_list_is_denied(machine: str, number: int) -> None:
    assert verdict(machine, number) == DENIED


@pytest.mark.parametrize(("machine", "number"), [("x86_64", 0), ("x86_64", 59), ("aarch64", 221)])
def test_the_rest_is_allowed(machine: str, number: int) -> None:
    assert verdict(machine, number) == ALLOW


@pytest.mark.parametrize(("machine", "clone"), [("x86_64", 56), ("aarch64", 220)])
def test_a_process_may_be_made_and_a_namespace_may_not(machine: str, clone: int) -> None:
    assert verdict(machine, clone, 0x01200011) == ALLOW  # as fork makes one
    assert verdict(machine, clone, 0x003D0F00) == ALLOW  # as a thread is made
    for flag in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
        assert verdict(machine, clone, 0x11 | flag) == DENIED
    assert verdict(machine, 435) == UNKNOWN


@pytest.mark.parametrize(("machine", "socket"), [("x86_64", 41), ("aarch64", 198)])
def test_a_socket_is_of_a_family_that_the_namespace_holds(machine: str, socket: int) -> None:
    assert [verdict(machine, socket, family) for family in (1, 2, 10)] == [ALLOW] * 3
    for family in (16, 17, 31, 38, 40):
        assert verdict(machine, socket, family) == ERRNO | errno.EAFNOSUPPORT


@pytest.mark.parametrize(("machine", "ioctl"), [("x86_64", 16), ("aarch64", 29)])
def test_nothing_is_typed_into_a_terminal(machine: str, ioctl: int) -> None:
    assert verdict(machine, ioctl, 0, 0x5412) == DENIED
    assert verdict(machine, ioctl, 0, 0x541C) == DENIED
    assert verdict(machine, ioctl, 0, 0x5401) == ALLOW


def test_calls_in_another_abi_do_not_pass() -> None:
    assert verdict("x86_64", 0x40000000 | 39) == UNKNOWN
    assert verdict("x86_64", 39, arch=0x40000003) == KILL
    assert verdict("aarch64", 39, arch=0x40000028) == KILL
