"""Which addresses a person may type for a model: public ones over https, and what operators add.

Otherwise anybody who may add an endpoint could make this machine ask what only it can reach: its
own services, its network, its cloud's metadata (OWASP: server-side request forgery). What holds:

- an address is looked at twice: as it is typed (`check_url`, for a sentence at once), and as it is
  connected to (`allows`, for each resolved address; `pool.py`'s connector calls it and connects to
  no other). The second is what protects: a name may resolve to anything, and differently each time;
- http is for listed hosts, and for loopback while Flint itself is bound to loopback only;
- a host is judged as yarl reads it, which is what aiohttp then connects to; spellings that two
  readers could take for different hosts are refused;
- an IPv6 address that carries an IPv4 one (mapped, NAT64, 6to4) is judged as that one too.

Pure. Turned down: a list of forbidden names (there is always one more), patterns with `*` (a name
that ends as expected may belong to anybody), and Python's `is_global` alone, which calls multicast,
6to4 relays and IPv4-compatible addresses global, and differs between versions.
"""

import functools
import ipaddress
import re
from collections.abc import Iterable
from typing import Final

import yarl

from webapp.engine.ports import Reach
from webapp.lib.sentences import Sentence, gettext_noop

SETTING: Final = "FLINT_ENDPOINT_HOSTS"

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_LONGEST_URL: Final = 500
_LABEL: Final = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER: Final = re.compile(r"0x[0-9a-f]*|\d+", re.IGNORECASE)
_SIGNS: Final = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029\\]")
_LOCAL_SUFFIXES: Final = (".localhost", ".local", ".internal", ".home.arpa")

# https://www.iana.org/assignments/iana-ipv4-special-registry, and 168.63.129.16, a public address
# behind which Azure answers each of its machines.
_CLOSED_IPV4: Final = tuple(
    ipaddress.IPv4Network(text)
    for text in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/3",
        "168.63.129.16/32",
    )
)
# https://www.iana.org/assignments/iana-ipv6-special-registry: what is public lies in 2000::/3.
_OPEN_IPV6: Final = ipaddress.IPv6Network("2000::/3")
_CLOSED_IPV6: Final = tuple(
    ipaddress.IPv6Network(text) for text in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
)
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")


def check_url(url: str, reach: Reach) -> Sentence | None:
    """Return why a person may not use this base URL, or None when they may.

    Says nothing about what a name resolves to; see `allows`.
    """
    text = url.strip()
    read = _read(text)
    if isinstance(read, Sentence):
        return read
    scheme, host = read
    address = _address(host)
    listed = _lists(reach, host, address)
    loopback = reach.loopback and _is_loopback_name(host, address)
    if not listed and not loopback and not _may_be_public(host, address):
        return closed(host)
    if scheme == "http" and not listed and not loopback:
        return Sentence(
            gettext_noop(
                "%(host)s must be asked over https, because the key and the files would travel"
                " readable for everybody. Write https://, or ask whoever operates Flint to list"
                " the host in %(setting)s."
            ),
            host=host,
            setting=SETTING,
        )
    return None


def allows(resolved: str, host: str, reach: Reach) -> bool:
    """Say whether a connection to `host` may go to the address `resolved`."""
    address = _address(resolved.partition("%")[0])
    if address is None:
        return False
    if _lists(reach, host, address):
        return True
    if reach.loopback and _is_loopback_name(host, _address(host)) and _is_loopback(address):
        return True
    return "%" not in resolved and _is_public(address)


def closed(host: str) -> Sentence:
    """Return the sentence about a host that is not public."""
    return Sentence(
        gettext_noop(
            "%(host)s belongs to this machine or to a private network, where Flint does not look"
            " for models by itself. Use a public address, or ask whoever operates Flint to list"
            " the host in %(setting)s."
        ),
        host=host,
        setting=SETTING,
    )


def parse_hosts(text: str) -> tuple[str, ...]:
    """Return the names and networks of a setting, written with commas or blanks between them.

    Raises ValueError for what is neither a name nor an address nor a network.
    """
    hosts = tuple(part.lower() for part in re.split(r"[\s,]+", text) if part)
    for host in hosts:
        if _network(host) is None and not _is_name(host.rstrip(".")):
            raise ValueError(
                f"{SETTING} lists {host!r}, which is no host name, address or network. Correct it"
                " there, and start Flint again."
            )
    return hosts


# ----- reading an address


def _read(text: str) -> tuple[str, str] | Sentence:
    """Return scheme and host as they would be connected to, or what is wrong with the address."""
    try:
        url = yarl.URL(text)
        scheme, host, port = url.scheme, url.raw_host or "", url.port
    except ValueError:
        return _no_address(text)
    if scheme not in ("http", "https") or not host or len(text) > _LONGEST_URL:
        return _no_address(text)
    if _SIGNS.search(text) or port is None or port == 0:
        return _no_address(text)
    if "@" in text.partition("://")[2].partition("/")[0]:
        return Sentence(
            gettext_noop(
                "The address must not hold a user name or a password. Put the key into its own"
                " field."
            )
        )
    if "?" in text or "#" in text:
        return Sentence(
            gettext_noop(
                "Leave out what follows the ? or # in the address; a base URL has neither."
            )
        )
    name = host.removesuffix(".")
    if "%" not in host and _address(name) is not None:
        # One spelling only: with a dot behind it, it would be looked up as a name.
        return _no_address(text) if name != host else (scheme, name)
    if ":" in host or "%" in host or _NUMBER.fullmatch(name.rpartition(".")[2]):
        return Sentence(
            gettext_noop(
                '"%(host)s" is an unusual way to write a numeric address. Write it like'
                " 203.0.113.7, or use a name."
            ),
            host=host,
        )
    return (scheme, name) if _is_name(name) else _no_address(text)


def _no_address(text: str) -> Sentence:
    return Sentence(
        gettext_noop('"%(address)s" is no web address. Write it like https://host.example/v1.'),
        address=text[:200],
    )


def _address(text: str) -> _Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def _is_name(name: str) -> bool:
    return len(name) <= 253 and all(_LABEL.fullmatch(label) for label in name.split("."))


# ----- judging a host


def _lists(reach: Reach, host: str, address: _Address | None) -> bool:
    names, networks = _listed(reach.hosts)
    if host.removesuffix(".").lower() in names:
        return True
    return address is not None and any(
        each.version == network.version and each in network
        for each in _meanings(address)[:1]
        for network in networks
    )


@functools.lru_cache(maxsize=32)
def _listed(hosts: Iterable[str]) -> tuple[frozenset[str], tuple[_Network, ...]]:
    networks = {host: _network(host) for host in hosts}
    names = (host.rstrip(".").lower() for host, network in networks.items() if network is None)
    return frozenset(names), tuple(network for network in networks.values() if network is not None)


def _network(text: str) -> _Network | None:
    try:
        return ipaddress.ip_network(text.strip("[]"), strict=False)
    except ValueError:
        return None


def _is_loopback_name(host: str, address: _Address | None) -> bool:
    return _is_loopback(address) if address is not None else host.removesuffix(".") == "localhost"


def _is_loopback(address: _Address) -> bool:
    return _meanings(address)[0].is_loopback


def _may_be_public(host: str, address: _Address | None) -> bool:
    if address is not None:
        return _is_public(address)
    return "." in host and not host.endswith(_LOCAL_SUFFIXES)


def _is_public(address: _Address) -> bool:
    return all(
        not any(each in network for network in _CLOSED_IPV4)
        if isinstance(each, ipaddress.IPv4Address)
        else each in _NAT64
        or (each in _OPEN_IPV6 and not any(each in network for network in _CLOSED_IPV6))
        for each in _meanings(address)
    )


def _meanings(address: _Address) -> tuple[_Address, ...]:
    """Return what an address stands for: a mapped one is that IPv4 address and nothing else."""
    if isinstance(address, ipaddress.IPv4Address):
        return (address,)
    if address.ipv4_mapped is not None:
        return (address.ipv4_mapped,)
    if address in _NAT64:
        return address, ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return (address,)
