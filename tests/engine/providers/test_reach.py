"""Which addresses people may type, as they are typed and as they are connected to."""

import pytest

from webapp.engine.ports import Reach
from webapp.engine.providers import reach

NOWHERE = Reach()
HOME = Reach(loopback=True)
LISTED = Reach(hosts=("models.internal", "10.0.0.0/8", "gpu", "fd00::/8", "192.168.7.9"))

OPEN = [
    "https://api.openai.com/v1",
    "https://API.OpenAI.com/v1/",
    "https://models.example",
    "https://models.example:8443/openai/v1",
    "https://models.example./v1",
    "https://münchen.example/v1",
    "https://xn--mnchen-3ya.example/v1",
    "https://a_b.example/v1",
    "https://8.8.8.8/v1",
    "https://[2606:4700:4700::1111]/v1",
    "https://[::ffff:8.8.8.8]/v1",
    "  https://models.example/v1  ",
]

REFUSED = {
    # no address that can be read in one way only
    "": "no web address",
    "models.example/v1": "no web address",
    "//models.example/v1": "no web address",
    "https:models.example": "no web address",
    "https:///v1": "no web address",
    "ftp://models.example": "no web address",
    "file:///etc/passwd": "no web address",
    "gopher://models.example:70/": "no web address",
    "wss://models.example/v1": "no web address",
    "https://models.example:0/v1": "no web address",
    "https://models.example:99999/v1": "no web address",
    "https://mod els.example/v1": "no web address",
    "https://models.example/v1\nHost: x": "no web address",
    "https://models.example\\@127.0.0.1/": "no web address",
    "https://models..example/v1": "no web address",
    "https://-a.example/v1": "no web address",
    "https://exa%6dple.com/v1": "unusual way",
    "https://[::1/v1": "no web address",
    "https://" + "a" * 64 + ".example": "no web address",
    "https://models.example/" + "v" * 500: "no web address",
    "https://me:secret@models.example/v1": "its own field",
    "https://127.0.0.1@models.example/v1": "its own field",
    "https://models.example/v1?key=secret": "what follows the ?",
    "https://models.example/v1#x": "what follows the ?",
    # numeric, in ways that only some readers take for an address
    "https://2130706433/v1": "unusual way",
    "https://0x7f000001/v1": "unusual way",
    "https://127.1/v1": "unusual way",
    "https://0177.0.0.1/v1": "unusual way",
    "https://0x7f.0.0.1/v1": "unusual way",
    "https://models.0x10/v1": "unusual way",
    "https://8.8.8.8./v1": "no web address",
    "https://[fe80::1%25eth0]/v1": "unusual way",
    "https://１２７.０.０.１/v1": "private network",
    "https://①②⑦.0.0.1/v1": "private network",
    # not public
    "https://127.0.0.1/v1": "private network",
    "https://127.8.9.10/v1": "private network",
    "https://localhost/v1": "private network",
    "https://LOCALHOST./v1": "private network",
    "https://ⓛocalhost/v1": "private network",
    "https://x.localhost/v1": "private network",
    "https://intranet/v1": "private network",
    "https://printer.local/v1": "private network",
    "https://metadata.google.internal/v1": "private network",
    "https://0.0.0.0/v1": "private network",
    "https://10.1.2.3/v1": "private network",
    "https://172.31.255.1/v1": "private network",
    "https://192.168.0.1/v1": "private network",
    "https://169.254.169.254/latest": "private network",
    "https://100.100.100.200/v1": "private network",
    "https://168.63.129.16/v1": "private network",
    "https://192.0.0.192/v1": "private network",
    "https://198.18.0.1/v1": "private network",
    "https://224.0.0.1/v1": "private network",
    "https://240.0.0.1/v1": "private network",
    "https://255.255.255.255/v1": "private network",
    "https://[::]/v1": "private network",
    "https://[::1]/v1": "private network",
    "https://[::127.0.0.1]/v1": "private network",
    "https://[::ffff:127.0.0.1]/v1": "private network",
    "https://[::ffff:a9fe:a9fe]/v1": "private network",
    "https://[64:ff9b::a9fe:a9fe]/v1": "private network",
    "https://[2002:7f00:1::]/v1": "private network",
    "https://[2001::1]/v1": "private network",
    "https://[fe80::1]/v1": "private network",
    "https://[fec0::1]/v1": "private network",
    "https://[fd00:ec2::254]/v1": "private network",
    "https://[ff02::1]/v1": "private network",
    # public, but readable on the way
    "http://models.example/v1": "over https",
    "http://8.8.8.8/v1": "over https",
}


@pytest.mark.parametrize("url", OPEN)
def test_a_public_address_over_https_is_open(url: str) -> None:
    assert reach.check_url(url, NOWHERE) is None


@pytest.mark.parametrize("url", REFUSED)
def test_what_is_refused_is_said(url: str) -> None:
    for asked in (NOWHERE, LISTED):
        problem = reach.check_url(url, asked)
        if asked is LISTED and problem is None:
            assert "10.1.2.3" in url or "fd00:" in url
            continue
        assert problem is not None, url
        assert REFUSED[url] in problem
        assert "secret" not in problem
        if REFUSED[url] in ("private network", "over https"):
            assert reach.SETTING in problem


@pytest.mark.parametrize(
    ("url", "asked", "is_open"),
    [
        ("http://localhost:11434/v1", HOME, True),
        ("http://localhost.:11434/v1", HOME, True),
        ("http://127.0.0.1:1234/v1", HOME, True),
        ("http://[::1]:8080", HOME, True),
        ("http://[::ffff:127.0.0.1]:8080", HOME, True),
        ("https://localhost:8443/v1", HOME, True),
        ("http://192.168.0.4:11434/v1", HOME, False),
        ("http://x.localhost:11434/v1", HOME, False),
        ("http://models.example/v1", HOME, False),
        ("http://models.internal/v1", LISTED, True),
        ("https://MODELS.internal./v1", LISTED, True),
        ("http://gpu:8000/v1", LISTED, True),
        ("http://10.20.30.40:8000/v1", LISTED, True),
        ("http://[::ffff:10.20.30.40]:8000/v1", LISTED, True),
        ("http://[fd12::1]:8000/v1", LISTED, True),
        ("http://192.168.7.9/v1", LISTED, True),
        ("http://192.168.7.10/v1", LISTED, False),
        ("http://x.models.internal/v1", LISTED, False),
        ("http://models.internal.evil.example/v1", LISTED, False),
        ("http://127.0.0.1/v1", LISTED, False),
        ("https://[64:ff9b::10.1.2.3]/v1", LISTED, False),
    ],
)
def test_what_operators_open(url: str, asked: Reach, is_open: bool) -> None:
    assert (reach.check_url(url, asked) is None) == is_open


@pytest.mark.parametrize(
    ("resolved", "host", "asked", "is_open"),
    [
        ("93.184.215.14", "models.example", NOWHERE, True),
        ("2606:4700::1111", "models.example", NOWHERE, True),
        ("64:ff9b::808:808", "models.example", NOWHERE, True),
        ("127.0.0.1", "models.example", NOWHERE, False),
        ("10.1.2.3", "models.example", NOWHERE, False),
        ("64:ff9b::a01:203", "models.example", NOWHERE, False),
        ("fe80::1%eth0", "models.example", NOWHERE, False),
        ("2606:4700::1111%eth0", "models.example", NOWHERE, False),
        ("not an address", "models.example", NOWHERE, False),
        # a foreign name must not lead to this machine, also where localhost may be typed
        ("127.0.0.1", "models.example", HOME, False),
        ("::1", "models.example", HOME, False),
        ("127.0.0.1", "localhost", HOME, True),
        ("::1", "localhost.", HOME, True),
        ("10.0.0.1", "localhost", HOME, False),
        ("127.0.0.1", "127.0.0.1", HOME, True),
        # a listed name may lead anywhere, another one into listed networks
        ("127.0.0.1", "models.internal", LISTED, True),
        ("172.16.0.1", "GPU", LISTED, True),
        ("10.1.2.3", "models.example", LISTED, True),
        ("::ffff:10.1.2.3", "models.example", LISTED, True),
        ("172.16.0.1", "models.example", LISTED, False),
    ],
)
def test_where_a_connection_may_go(resolved: str, host: str, asked: Reach, is_open: bool) -> None:
    assert reach.allows(resolved, host, asked) == is_open


def test_the_setting_is_read() -> None:
    assert reach.parse_hosts(" Models.internal, 10.0.0.0/8\nfd00::1 ") == (
        "models.internal",
        "10.0.0.0/8",
        "fd00::1",
    )
    assert reach.parse_hosts("") == ()
    for wrong in ("*.example", "https://models.example", "a b/c", "10.0.0.0/99"):
        with pytest.raises(ValueError, match=reach.SETTING):
            reach.parse_hosts(wrong)


def test_the_table_is_long_enough() -> None:
    assert len(OPEN) + len(REFUSED) >= 40
