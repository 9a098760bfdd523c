"""A session at rest.

The log (Entry) is the truth: every change to a file and to the tree, in one order a session.
Snapshots, File.path and a checkpoint's manifest are derived from it, to be quick. Payloads are
ASCII-escaped JSON text in every database, never jsonb, because a change may hold half a surrogate
pair and databases refuse those. Offsets and lengths are UTF-16 code units.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from webapp.lib import clock, ids
from webapp.teams.models import Team, User


class Session(models.Model):
    """A project that people and the model edit together."""

    id = models.CharField(primary_key=True, max_length=20, default=ids.new_id, editable=False)
    slug = models.CharField(max_length=20, unique=True, default=ids.new_slug, editable=False)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="sessions")
    title = models.CharField(_("title"), max_length=120)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=clock.now)
    changed_at = models.DateTimeField(default=clock.now)
    deleted_at = models.DateTimeField(null=True, blank=True)
    """When it was deleted, so that this can be undone; from then on nobody can see it."""
    holds_follow_ups = models.BooleanField(default=False)
    """Whether waiting prompts stay until somebody sends one: after a stop or a failure."""
    forked_from = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="+")
    forked_seq = models.BigIntegerField(null=True)
    """At which moment of that session's log it began as a copy."""
    protected = models.TextField(_("protected paths"), blank=True, default="")
    """Globs, one a line, of paths that no turn touches without a person's word."""
    guard_lines = models.PositiveIntegerField(default=60)
    """A turn that takes more lines out of a file, and more than the share, asks first."""
    guard_percent = models.PositiveSmallIntegerField(default=50)
    access_version = models.PositiveIntegerField(default=1)
    """Goes up whenever somebody's right to be here may have changed; open rooms watch it."""

    class Meta:
        indexes: ClassVar = [models.Index(fields=["team", "-changed_at"], name="session_recent")]

    def __str__(self) -> str:
        return self.title


class Lease(models.Model):
    """Which process holds a session open. `epoch` is the fencing token of its writes."""

    session = models.OneToOneField(
        Session, on_delete=models.CASCADE, primary_key=True, related_name="lease"
    )
    owner = models.CharField(max_length=80)
    epoch = models.BigIntegerField(default=1)
    renewed_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return f"{self.session_id} held by {self.owner} ({self.epoch})"


class File(models.Model):
    """A file of a session; gone files keep their row, since the log refers to it."""

    class Ending(models.TextChoices):
        """The line ending that an export writes; the log's text has LF only, but for MIXED."""

        LF = "lf", "LF"
        CRLF = "crlf", "CRLF"
        CR = "cr", "CR"
        MIXED = "mixed", _("mixed")

    id = models.CharField(primary_key=True, max_length=20, default=ids.new_id, editable=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="files")
    path = models.CharField(max_length=512)
    first_path = models.CharField(max_length=512, blank=True, default="")
    """The path it was created with, once it has another: the log tells only the new ones."""
    ending = models.CharField(max_length=5, choices=Ending.choices, default=Ending.LF)
    encoding = models.CharField(max_length=32, default="utf-8")
    """What its bytes were when it came in, and are again on export; see document/encodings.py."""
    has_bom = models.BooleanField(default=False)
    is_executable = models.BooleanField(default=False)
    is_binary = models.BooleanField(default=False)
    """Kept and listed, not edited: its text in the log is empty, its bytes are its Blob."""
    created_seq = models.BigIntegerField(default=0)
    deleted_seq = models.BigIntegerField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["session", "path"],
                condition=models.Q(deleted_seq__isnull=True),
                name="one_live_file_a_path",
            ),
        ]

    def __str__(self) -> str:
        return self.path


class Blob(models.Model):
    """That a file is binary, and how large; written once. Its bytes are its parts, in order."""

    file = models.OneToOneField(
        File, on_delete=models.CASCADE, primary_key=True, related_name="blob"
    )
    size_bytes = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.file_id}: {self.size_bytes} bytes"


class BlobPart(models.Model):
    """Some of a binary file's bytes: few enough that writing them holds nobody up."""

    blob = models.ForeignKey(Blob, on_delete=models.CASCADE, related_name="parts")
    ordinal = models.PositiveSmallIntegerField()
    data = models.BinaryField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["blob", "ordinal"], name="one_part_an_ordinal"),
        ]

    def __str__(self) -> str:
        return f"{self.blob_id}, part {self.ordinal}"


class Turn(models.Model):
    """One prompt and what the model did for it. States are those of engine/turn.py."""

    class State(models.TextChoices):
        """How far a turn is; the first four may still change."""

        QUEUED = "queued", _("queued")
        STARTING = "starting", _("starting")
        STREAMING = "streaming", _("streaming")
        STOPPING = "stopping", _("stopping")
        FINISHED = "finished", _("finished")
        STOPPED = "stopped", _("stopped")
        REDIRECTED = "redirected", _("redirected")
        FAILED = "failed", _("failed")
        INTERRUPTED = "interrupted", _("interrupted")

    id = models.CharField(primary_key=True, max_length=20, default=ids.new_id, editable=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="turns")
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    author_name = models.CharField(max_length=80)
    parent = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="+")
    prompt = models.TextField()
    tier = models.CharField(max_length=16, default="preview")
    endpoint = models.CharField(max_length=40, blank=True)
    """The id of the choice that answered, see live/endpoints.py; it may be gone by now."""
    label = models.CharField(max_length=80, blank=True)
    """The name of that choice then."""
    model = models.CharField(max_length=200, blank=True)
    edit_format = models.CharField(max_length=8, blank=True)
    state = models.CharField(max_length=12, choices=State.choices, default=State.QUEUED)
    focus = models.TextField(default="null")
    """JSON: {"file", "path", "from_line", "to_line"} of what the model was shown, or null."""
    checkpoint_seq = models.BigIntegerField(null=True)
    created_at = models.DateTimeField(default=clock.now)
    first_token_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    ended_by = models.CharField(max_length=80, blank=True)
    """The name of whoever stopped it."""
    reverted_by = models.CharField(max_length=80, blank=True)
    ttft_ms = models.PositiveIntegerField(null=True)
    stop_ms = models.FloatField(null=True)
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    tokens_estimated = models.BooleanField(default=True)
    tokens_applied = models.PositiveIntegerField(default=0)
    lines_added = models.PositiveIntegerField(default=0)
    lines_removed = models.PositiveIntegerField(default=0)
    edits = models.PositiveIntegerField(default=0)
    """How many edits the answer held, refused ones too."""
    edits_refused = models.PositiveIntegerField(default=0)
    wants_repair = models.BooleanField(default=True)
    """Whether the model is asked once more for edits that could not be applied."""
    repairs = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="+")
    """The turn whose refused edits this one asks for again."""
    prose = models.TextField(blank=True)
    """What the model said outside its edits: Markdown, ASCII-escaped JSON string."""
    reason = models.TextField(blank=True)
    """JSON of sentences for a person (lib/sentences.py), when it failed or yielded."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["session"],
                condition=models.Q(state__in=["starting", "streaming", "stopping"]),
                name="one_writing_turn_a_session",
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["session", "created_at"], name="turn_order")]

    def __str__(self) -> str:
        return f"{self.id}: {self.state}"


class FollowUp(models.Model):
    """A prompt that waits until the session's running turn is over. Its id becomes the turn's."""

    id = models.CharField(primary_key=True, max_length=20, editable=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="follow_ups")
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    author_name = models.CharField(max_length=80)
    prompt = models.TextField()
    tier = models.CharField(max_length=16, default="preview")
    endpoint = models.CharField(max_length=40, blank=True)
    wants_repair = models.BooleanField(default=True)
    place = models.TextField(default="null")
    """JSON: {"file", "v", "sel", "files"} as it was asked, or null; `sel` follows later changes."""
    position = models.PositiveIntegerField()
    """Where it stands in the list, from 0."""
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["session", "position"], name="follow_up_order")]

    def __str__(self) -> str:
        return f"{self.id} waits in {self.session_id}"


class Entry(models.Model):
    """One line of a session's log. Never updated, never deleted."""

    class Kind(models.TextChoices):
        """What the payload is; CREATE holds the whole text, RENAME the new path."""

        EDIT = "edit"
        SETTLE = "settle"
        REVERT = "revert"
        RESTORE = "restore"
        CREATE = "create"
        RENAME = "rename"
        DELETE = "delete"

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="entries")
    seq = models.BigIntegerField()
    file = models.ForeignKey(File, on_delete=models.CASCADE, related_name="entries")
    version = models.BigIntegerField(null=True)
    """The file's version after this entry; null for RENAME and DELETE."""
    author = models.CharField(max_length=32)
    """One of user:<id>, turn:<id> and system."""
    client = models.CharField(max_length=40)
    counter = models.BigIntegerField(null=True)
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.EDIT)
    payload = models.TextField()
    turn = models.ForeignKey(Turn, on_delete=models.SET_NULL, null=True, related_name="entries")
    hunk = models.PositiveIntegerField(null=True)
    """The ordinal of the hunk of `turn` that this entry belongs to."""
    at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["session", "seq"], name="one_entry_a_seq"),
            models.UniqueConstraint(
                fields=["file", "version"],
                condition=models.Q(version__isnull=False),
                name="one_entry_a_version",
            ),
            models.UniqueConstraint(
                fields=["file", "client", "counter"],
                condition=models.Q(counter__isnull=False),
                name="sent_twice_applied_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.session_id}#{self.seq} {self.kind}"


class Snapshot(models.Model):
    """A file's whole text at a version, so that opening need not replay its whole log."""

    file = models.ForeignKey(File, on_delete=models.CASCADE, related_name="snapshots")
    version = models.BigIntegerField()
    text = models.TextField()
    """ASCII-escaped JSON string."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["file", "version"], name="one_snapshot_a_version"),
        ]

    def __str__(self) -> str:
        return f"{self.file_id} at {self.version}"


class Checkpoint(models.Model):
    """The whole project at one moment: every file that lived, and at which version."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="checkpoints")
    seq = models.BigIntegerField()
    turn = models.OneToOneField(
        Turn, on_delete=models.CASCADE, null=True, related_name="checkpoint"
    )
    label = models.CharField(max_length=120, blank=True)
    """What somebody called it who made it by hand."""
    author_name = models.CharField(max_length=80, blank=True)
    manifest = models.TextField()
    """JSON: [{"file", "path", "version"}]."""
    created_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return f"{self.session_id} at {self.seq}"


class Hunk(models.Model):
    """One place that a turn changed: [start, end) of `file` at `version` replaced `old_text`."""

    class Status(models.TextChoices):
        """OPEN while it is written; YIELDED when a person typed into it meanwhile."""

        OPEN = "open", _("being written")
        APPLIED = "applied", _("applied")
        KEPT = "kept", _("kept")
        YIELDED = "yielded", _("yielded")
        REVERTED = "reverted", _("reverted")
        ROLLED_BACK = "rolled_back", _("unfinished, rolled back")

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="hunks")
    ordinal = models.PositiveIntegerField()
    file = models.ForeignKey(File, on_delete=models.CASCADE, related_name="hunks")
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.OPEN)
    version = models.BigIntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    old_text = models.TextField(default='""')
    """ASCII-escaped JSON string."""
    decided_by = models.CharField(max_length=80, blank=True)
    """The name of whoever kept or reverted it."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["turn", "ordinal"], name="one_hunk_an_ordinal"),
        ]

    def __str__(self) -> str:
        return f"{self.turn_id}/{self.ordinal}: {self.status}"


class Withheld(models.Model):
    """An edit of a turn that does not stand in the text, and why; see engine/landing/."""

    class Kind(models.TextChoices):
        """REFUSED could not be applied; FROZEN waits for a word; YIELDED gave way to a person."""

        REFUSED = "refused", _("not applied")
        FROZEN = "frozen", _("waits for your word")
        YIELDED = "yielded", _("gave way")

    class State(models.TextChoices):
        """What became of it; a refused one stays OPEN unless a repair asked for it again."""

        OPEN = "open", _("open")
        TAKEN = "taken", _("taken")
        DECLINED = "declined", _("declined")
        EXPIRED = "expired", _("nobody answered")

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="withheld")
    ordinal = models.PositiveIntegerField()
    kind = models.CharField(max_length=8, choices=Kind.choices)
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    op = models.CharField(max_length=8, default="edit")
    """One of edit, create, delete and move."""
    path = models.CharField(max_length=512, blank=True)
    to = models.CharField(max_length=512, blank=True)
    """Where a move goes."""
    file = models.ForeignKey(File, on_delete=models.SET_NULL, null=True, related_name="+")
    first_line = models.PositiveIntegerField(null=True)
    last_line = models.PositiveIntegerField(null=True)
    """Which lines it is about, as they stood then; 1-based."""
    old_text = models.TextField(default='""')
    """What stood there: ASCII-escaped JSON string."""
    new_text = models.TextField(default='""')
    """What the model wanted there: ASCII-escaped JSON string."""
    reason = models.TextField(blank=True)
    """JSON of sentences for a person (lib/sentences.py)."""
    answered_by = models.CharField(max_length=80, blank=True)
    created_at = models.DateTimeField(default=clock.now)
    until = models.DateTimeField(null=True)
    """When a frozen one is declined for want of an answer."""

    class Meta:
        verbose_name_plural = "withheld edits"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["turn", "ordinal"], name="one_withheld_an_ordinal"),
        ]

    def __str__(self) -> str:
        return f"{self.turn_id}/{self.ordinal}: {self.kind}, {self.state}"


class ReplayLink(models.Model):
    """Lets whoever has its secret watch what happened in a session, and nothing else."""

    id = models.CharField(primary_key=True, max_length=20, default=ids.new_id, editable=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="replay_links")
    secret_hash = models.CharField(max_length=64, unique=True)
    """SHA-256 of the secret, hexadecimal; the secret itself is shown once."""
    label = models.CharField(max_length=120, blank=True)
    from_seq = models.BigIntegerField(default=0)
    to_seq = models.BigIntegerField()
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=clock.now)
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"replay of {self.session_id}, {self.from_seq} to {self.to_seq}"
