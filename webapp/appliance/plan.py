"""What each child is given: its environment and its command.

What the operator set is passed on untouched; the appliance only fills in what is missing. The
secret key is never in an environment: it stays in its file.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from webapp.appliance import checks, modelserver
from webapp.appliance.children import ChildSpec
from webapp.appliance.tiers import CONTEXT_TOKENS, EMBEDDED, MAX_OUTPUT_TOKENS, Tier

BASE = Path(__file__).resolve().parent.parent.parent
LARGEST_FRAME_BYTES = 1024 * 1024
LARGEST_MESSAGE_BYTES = 32 * 1024 * 1024
"""Daphne holds what it sends to this one too; a file of 2 MB is up to 13 MB as JSON in ASCII."""
WEB_GRACE_S = 10.0
_LOOPBACK = {"127.0.0.1", "localhost", "::1"}
_ANY = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - compared with, not bound


@dataclass(frozen=True, slots=True)
class Plan:
    """One start of Flint."""

    home: Path
    host: str
    port: int
    given: Mapping[str, str] = field(repr=False)
    """The operator's environment."""
    model_ports: Mapping[str, int] = field(default_factory=dict)
    """By tier: where its embedded model listens once it runs."""
    model_keys: Mapping[str, str] = field(
        default_factory=lambda: {tier: secrets.token_urlsafe() for tier in EMBEDDED}, repr=False
    )
    redis_url: str = ""

    def embeds(self, tier: Tier) -> bool:
        """Whether an embedded model serves the tier, since the operator named no server for it."""
        return not self.given.get(tier.setting("BASE_URL"), "").strip()

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach Flint."""
        return self.host in _LOOPBACK or self.host.startswith("127.")

    @property
    def connect_host(self) -> str:
        """The address at which this machine reaches the listening socket."""
        return _ANY.get(self.host, self.host)

    @property
    def origins(self) -> list[str]:
        """The full origins that Flint is reached at, the one to print first."""
        chosen = [part.strip() for part in self.given.get("PUBLIC_ORIGINS", "").split(",")]
        if any(chosen):
            return [origin for origin in chosen if origin]
        names = ["127.0.0.1", "localhost"]
        if self.host not in {*names, *_ANY}:
            names.insert(0, f"[{self.host}]" if ":" in self.host else self.host)
        return [f"http://{name}:{self.port}" for name in names]

    @property
    def origin_host(self) -> str:
        """What to send as Host, so that the request is not refused."""
        return urlsplit(self.origins[0]).netloc

    def status_file(self, tier: Tier) -> Path:
        """Where it is said how far the tier's model is."""
        given = self.given.get(tier.setting("STATUS"), "").strip()
        return Path(given or self.home / f"model-{tier.name}.json")

    @property
    def static_root(self) -> Path:
        """Where the copies of the static files are."""
        return Path(self.given.get("STATIC_ROOT", "").strip() or self.home / "static")

    @property
    def owner_prefix(self) -> str:
        """How the names of this folder's web processes begin, in leases."""
        place = f"{socket.gethostname()}:{self.home}"
        return f"web-{hashlib.sha256(os.fsencode(place)).hexdigest()[:12]}-"

    def environment(self) -> dict[str, str]:
        """Return the environment that every child shares."""
        env = dict(self.given)
        env["FLINT_HOME"] = str(self.home)
        env["HOST"], env["PORT"] = self.host, str(self.port)
        env["PUBLIC_ORIGINS"] = ",".join(self.origins)
        for tier in EMBEDDED.values():
            env[tier.setting("STATUS")] = str(self.status_file(tier))
            if self.embeds(tier):
                env |= self._of_embedded(tier)
        env["PYTHONUNBUFFERED"] = "1"
        # A module named like one of ours in whatever folder make was called from must not win.
        env["DJANGO_SETTINGS_MODULE"] = "webapp.config.settings"
        if self.redis_url:
            env["REDIS_URL"] = self.redis_url
        if self.is_local and "FLINT_STATIC_COMPRESS" not in env:
            # Compressing takes seconds that somebody waits for, and loopback gains nothing by it.
            env["FLINT_STATIC_COMPRESS"] = "0"
        return env

    def _of_embedded(self, tier: Tier) -> dict[str, str]:
        """Return the settings that name the tier's embedded model, unless the operator did."""
        chosen = {
            "MODEL": self.model_name(tier),
            "SMALL": "1",
            "FORMAT": "whole",
            "CONTEXT": str(CONTEXT_TOKENS),
            "MAX_OUTPUT": str(MAX_OUTPUT_TOKENS),
        }
        names = {tier.setting(what): value for what, value in chosen.items()}
        return {
            **{name: self.given.get(name, "").strip() or value for name, value in names.items()},
            tier.setting("BASE_URL"): f"http://127.0.0.1:{self.model_ports.get(tier.name, 0)}",
            tier.setting("API_KEY"): self.model_keys[tier.name],
        }

    def model_name(self, tier: Tier) -> str:
        """Return the embedded model's name; a digest of its own makes it another model."""
        if self.given.get(tier.digest_setting, "").strip():
            return Path(tier.given_path(self.given)).stem or tier.weights.name
        return tier.weights.name

    def web(self, listener: socket.socket, gate: int) -> ChildSpec:
        """Return the web process, which takes the listening socket over once the gate opens."""
        command = [sys.executable, "-m", "webapp.appliance.web", str(gate), "-v", "0"]
        descriptors = [gate]
        if listener.family == socket.AF_INET:
            command += ["--fd", str(listener.fileno())]
            descriptors.append(listener.fileno())
        else:
            # Daphne takes over IPv4 sockets only.
            listener.close()
            command += ["-b", self.host, "-p", str(self.port)]
        command += [f"--websocket-max-message-size={LARGEST_MESSAGE_BYTES}"]
        command += [f"--websocket-max-frame-size={LARGEST_FRAME_BYTES}"]
        command += ["webapp.config.asgi:application"]
        return ChildSpec(
            name="web",
            command=tuple(command),
            # A name for each start: the leases of the one that died must not look like its own.
            environment=lambda: {
                **self.environment(),
                "FLINT_PROCESS": f"{self.owner_prefix}{secrets.token_hex(4)}",
            },
            folder=str(BASE),
            descriptors=tuple(descriptors),
            grace_s=WEB_GRACE_S,
        )

    def worker(self) -> ChildSpec:
        """Return the Celery worker. Threads, so that no grandchild can be left behind."""
        return ChildSpec(
            name="worker",
            command=(
                *(sys.executable, "-m", "celery", "-q", "-A", "webapp.config.celery", "worker"),
                *("--pool", "threads", "--concurrency", "2", "--loglevel", "WARNING"),
                *("--without-gossip", "--without-mingle"),
            ),
            environment=self.environment,
            folder=str(BASE),
        )

    def model(self, tier: Tier) -> ChildSpec:
        """Return the process of a tier's embedded model."""
        return ChildSpec(
            name=tier.child,
            command=(sys.executable, "-m", "webapp.appliance.modelserver", tier.name),
            environment=self.environment,
            folder=str(BASE),
            final_codes=frozenset({modelserver.EXIT_NO_WEIGHTS, modelserver.EXIT_UNUSABLE}),
            deaths={
                -9: "was killed, perhaps because the machine ran out of memory",
                modelserver.EXIT_NO_MEMORY: "found too little memory",
                modelserver.EXIT_NO_WEIGHTS: "has no weights to run",
                modelserver.EXIT_UNUSABLE: "cannot run these weights",
            },
        )


def reserve_port() -> socket.socket:
    """Return a bound socket that listens to nothing, so that its loopback port stays free for
    the model server, which binds it once more (SO_REUSEADDR), also after a restart."""
    reservation = socket.socket()
    reservation.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    reservation.bind(("127.0.0.1", 0))
    return reservation


def keep_secret_key(home: Path) -> None:
    """Write FLINT_HOME/secret-key once, for its owner alone; raises Refusal."""
    path = home / "secret-key"
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        if not os.access(path, os.R_OK):
            raise checks.Refusal(
                f"{path} cannot be read. It keeps people signed in: give it back to "
                f"{checks.user_name(os.geteuid())}, or remove it to sign everybody out."
            ) from None
        return
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(48))
