"""What went wrong with a connection, as `Failed` values with sentences that help. Pure."""

import ssl

import aiohttp

from webapp.engine.ports import Endpoint, Failed, FailureCode
from webapp.engine.providers.failures import failed
from webapp.engine.providers.pool import NotAllowed
from webapp.lib.sentences import Sentence, gettext_noop


def from_exception(endpoint: Endpoint, error: BaseException, *, answered: bool) -> Failed:
    """Return the failure that an exception of the HTTP client means.

    `answered` says whether the server had begun its answer.
    """
    label, address = endpoint.label, endpoint.base_url
    retry = False
    if isinstance(error, NotAllowed):
        return not_allowed(endpoint, error.sentence)
    if isinstance(error, aiohttp.InvalidURL | aiohttp.NonHttpUrlClientError):
        code = FailureCode.BAD_ADDRESS
        text = Sentence(
            gettext_noop('"%(address)s" is no web address. Write it like https://host.example/v1.'),
            address=address,
        )
    elif isinstance(error, aiohttp.ClientConnectorDNSError):
        code, retry = FailureCode.DNS, True
        text = Sentence(
            gettext_noop(
                "The name in %(address)s was not found. Check the address and this machine's"
                " network."
            ),
            address=address,
        )
    elif isinstance(error, aiohttp.ClientSSLError | ssl.SSLError):
        code, text = FailureCode.TLS, _tls(address, error)
    elif isinstance(error, aiohttp.ClientConnectorError):
        retry = True
        if isinstance(error.os_error, ConnectionRefusedError):
            code = FailureCode.REFUSED
            text = Sentence(
                gettext_noop(
                    "Nothing answers at %(address)s. Start the model server, or check the address."
                ),
                address=address,
            )
        elif isinstance(error.os_error, TimeoutError):
            return connect_timeout(endpoint)
        else:
            code = FailureCode.UNREACHABLE
            text = Sentence(
                gettext_noop(
                    "%(address)s cannot be reached. Check this machine's network and the address."
                ),
                address=address,
            )
    elif isinstance(error, aiohttp.ServerTimeoutError):
        return connect_timeout(endpoint)
    else:
        code, retry = FailureCode.CUT, True
        if answered:
            pattern = gettext_noop("%(label)s closed the connection in mid-answer. Try again.")
        else:
            pattern = gettext_noop("%(label)s closed the connection before it answered. Try again.")
        text = Sentence(pattern, label=label)
    return failed(endpoint, code, text, str(error), None, retry)


def not_allowed(endpoint: Endpoint, problem: Sentence) -> Failed:
    """Return the failure of an address that people may not have asked."""
    return failed(endpoint, FailureCode.NOT_ALLOWED, problem, "", None, False)


def connect_timeout(endpoint: Endpoint) -> Failed:
    """Return the failure of a connection that was not made in time."""
    text = Sentence(
        gettext_noop("%(address)s did not answer in time. Check the address and the network."),
        address=endpoint.base_url,
    )
    return Failed(FailureCode.CONNECT_TIMEOUT, text, can_retry=True)


def first_token_timeout(endpoint: Endpoint, limit_s: float) -> Failed:
    """Return the failure of an answer that never began."""
    text = Sentence(
        gettext_noop(
            "%(label)s sent no token within %(seconds)s s. "
            "Try again, with a smaller file or selection if it stays so."
        ),
        label=endpoint.label,
        seconds=f"{limit_s:.0f}",
    )
    return Failed(FailureCode.FIRST_TOKEN_TIMEOUT, text, can_retry=True)


def idle_timeout(endpoint: Endpoint, limit_s: float) -> Failed:
    """Return the failure of an answer that stood still."""
    text = Sentence(
        gettext_noop("%(label)s sent nothing for %(seconds)s s in mid-answer. Try again."),
        label=endpoint.label,
        seconds=f"{limit_s:.0f}",
    )
    return Failed(FailureCode.IDLE_TIMEOUT, text, can_retry=True)


def cut(endpoint: Endpoint) -> Failed:
    """Return the failure of an answer that ended without saying so."""
    text = Sentence(
        gettext_noop("The answer of %(label)s broke off. Try again."), label=endpoint.label
    )
    return Failed(FailureCode.CUT, text, can_retry=True)


def _tls(address: str, error: BaseException) -> Sentence:
    """Return which of the usual things is wrong with a secure connection.

    Numbers: X509_V_ERR_* of OpenSSL's x509_vfy.h.
    """
    inner = getattr(error, "certificate_error", None) or getattr(error, "os_error", None) or error
    number = getattr(inner, "verify_code", 0)
    if number in (9, 10):
        pattern = gettext_noop(
            "The certificate of %(address)s has expired or is not valid yet. "
            "Renew it there, and check the clock of both machines."
        )
    elif number in (62, 64) or isinstance(inner, ssl.CertificateError) and not number:
        pattern = gettext_noop(
            "The certificate of %(address)s was made for another host. "
            "Use the name that the certificate holds."
        )
    elif number in (18, 19):
        pattern = gettext_noop(
            "The certificate of %(address)s is self-signed, so nobody vouches for it. "
            "Install one from a known authority, or add its authority to this machine."
        )
    elif number in (2, 20, 21):
        pattern = gettext_noop(
            "The certificate of %(address)s comes from an authority that this machine does not"
            " know, or its chain is incomplete. Send the whole chain from there, or add the"
            " authority to this machine."
        )
    elif getattr(inner, "reason", "") in (
        "WRONG_VERSION_NUMBER",
        "HTTP_REQUEST",
        "RECORD_LAYER_FAILURE",
    ):
        pattern = gettext_noop(
            "%(address)s does not speak https. Check the port, or write http:// if it is a server"
            " of yours without encryption."
        )
    else:
        pattern = gettext_noop(
            "No secure connection to %(address)s could be made. "
            "Check its certificate, and whether the address should begin with http or https."
        )
    return Sentence(pattern, address=address)
