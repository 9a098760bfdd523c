"""People and teams.

A user is known by an email address; there is no user name. A team is never without an owner;
the functions in access.py and members.py keep that, since no constraint can.
"""

from __future__ import annotations

from typing import ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.utils.translation import gettext_lazy as _

from webapp.lib import clock, ids


class UserManager(BaseUserManager["User"]):
    """Makes users; emails are compared without case."""

    def create_user(self, email: str, password: str | None = None, name: str = "") -> User:
        """Return a saved user; without a password they can only come in by a link."""
        user = self.model(email=email.strip().lower(), name=name.strip())
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, name: str = "") -> User:
        """Return a saved user with every permission of Django's own."""
        user = self.create_user(email, password, name)
        user.is_superuser = True
        user.save(using=self._db, update_fields=["is_superuser"])
        return user

    def get_by_natural_key(self, username: str | None) -> User:
        """Return the user with this email, without case; raises DoesNotExist."""
        return self.get(email__iexact=username)


class User(AbstractBaseUser, PermissionsMixin):
    """A person who can sign in."""

    email = models.EmailField(_("email address"), unique=True)
    name = models.CharField(_("name"), max_length=80, blank=True)
    is_active = models.BooleanField(default=True)
    joined_at = models.DateTimeField(default=clock.now)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    def __str__(self) -> str:
        return self.display_name

    @property
    def display_name(self) -> str:
        """What others see: the name, else what stands before the @."""
        return self.name or self.email.partition("@")[0]

    @property
    def is_staff(self) -> bool:
        """Django's admin is not used; only a superuser would pass."""
        return self.is_superuser


class Team(models.Model):
    """People who share sessions."""

    id = models.CharField(primary_key=True, max_length=20, default=ids.new_id, editable=False)
    name = models.CharField(_("name"), max_length=80)
    created_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """That a person belongs to a team, and as what."""

    class Role(models.TextChoices):
        """What a member may do with the team; owners and admins also own its sessions."""

        OWNER = "owner", _("Owner")
        ADMIN = "admin", _("Admin")
        MEMBER = "member", _("Member")

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=8, choices=Role.choices, default=Role.MEMBER)
    joined_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["team", "user"], name="one_membership_a_team"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.team_id}: {self.role}"


class SignInLink(models.Model):
    """A link that lets one person in once; only the digest of its secret is kept."""

    digest = models.CharField(primary_key=True, max_length=64)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sign_in_links")
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"link for {self.user_id} until {self.expires_at:%H:%M}"


class Endpoint(models.Model):
    """A model that a team added: where it is asked, and how. Sizes are in tokens.

    The key is kept encrypted (see secrets.py) and leaves the database only to be sent to
    `base_url`; no page shows it again.
    """

    class Tier(models.TextChoices):
        """Which limits and which place in the page it has."""

        PREVIEW = "preview", _("preview")
        STANDARD = "standard", _("standard")

    class Format(models.TextChoices):
        """How the model is told to write its edits."""

        WHOLE = "whole", _("whole files")
        BLOCKS = "blocks", _("search and replace blocks")

    id = models.CharField(primary_key=True, max_length=20, default=ids.new_id, editable=False)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="endpoints")
    label = models.CharField(_("name"), max_length=80)
    preset = models.CharField(max_length=32, blank=True)
    """Which preset it was made from, for its hints; nothing is looked up there later."""
    tier = models.CharField(_("tier"), max_length=16, choices=Tier.choices, default=Tier.PREVIEW)
    base_url = models.CharField(_("base URL"), max_length=500)
    model = models.CharField(_("model"), max_length=200)
    key = models.TextField(blank=True, editable=False)
    edit_format = models.CharField(
        _("edit format"), max_length=8, choices=Format.choices, default=Format.BLOCKS
    )
    context_window = models.PositiveIntegerField(_("context window"), default=32_768)
    max_output = models.PositiveIntegerField(_("longest answer"), default=8_192)
    is_small = models.BooleanField(_("small model"), default=False)
    """A small model rewrites a region of a long file, not the whole file."""
    is_default = models.BooleanField(_("default of its tier"), default=False)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=clock.now)
    changed_at = models.DateTimeField(default=clock.now)
    tested_at = models.DateTimeField(null=True, blank=True)
    problem = models.TextField(blank=True)
    """What the last test found wrong, as JSON of a Sentence or text; empty when all was well."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["team", "tier"],
                condition=models.Q(is_default=True),
                name="one_default_endpoint_a_tier",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.label} ({self.tier})"
