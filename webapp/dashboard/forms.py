"""The form about one model. Its key goes in and never comes out again."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from webapp.dashboard.probing import KEY_LOST
from webapp.engine.ports import LEAST_WINDOW
from webapp.engine.providers.presets import OTHER, Preset
from webapp.engine.providers.reach import check_url
from webapp.live.endpoints import reach
from webapp.notices.words import translated
from webapp.teams import endpoints
from webapp.teams.endpoints import Draft, origin_of
from webapp.teams.models import Endpoint, Team
from webapp.teams.names import visible

MOST_WINDOW: Final = 10_000_000
LEAST_OUTPUT: Final = 64
_ADDRESS: Final = {"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}


def _between(least: int, most: int) -> list[Any]:
    words = format_lazy(_("From {least} to {most} tokens."), least=f"{least:,}", most=f"{most:,}")
    return [MinValueValidator(least, words), MaxValueValidator(most, words)]


class EndpointForm(forms.Form):
    """Everything that a team says of a model."""

    base_url = forms.CharField(
        label=_("Base URL"),
        max_length=500,
        widget=forms.TextInput(attrs={**_ADDRESS, "inputmode": "url"}),
        help_text=_("Where its Chat Completions API is, usually ending in /v1."),
    )
    key = forms.CharField(
        label=_("API key"),
        max_length=4000,
        required=False,
        widget=forms.PasswordInput(attrs={**_ADDRESS, "autocomplete": "new-password"}),
    )
    remove_key = forms.BooleanField(label=_("Remove the key"), required=False)
    model = forms.CharField(
        label=_("Model"),
        max_length=200,
        widget=forms.TextInput(attrs={**_ADDRESS, "list": "known-models"}),
        help_text=_("Its name there. A test fills in the names to choose from."),
    )
    label = forms.CharField(
        label=_("Name"),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_("What people choose it by at the prompt."),
    )
    tier = forms.ChoiceField(
        label=_("Tier"),
        choices=Endpoint.Tier.choices,
        help_text=_("Preview is for fast models, standard for deeper ones."),
    )
    is_default = forms.BooleanField(
        label=_("Use it when a prompt names no other model of the tier"), required=False
    )
    edit_format = forms.ChoiceField(
        label=_("Edits as"),
        choices=Endpoint.Format.choices,
        help_text=_("Blocks are quicker, and too hard for models below about 1.5B parameters."),
    )
    context_window = forms.IntegerField(
        label=_("Context window, in tokens"),
        validators=_between(LEAST_WINDOW, MOST_WINDOW),
        help_text=_("How much it reads and writes in one turn."),
    )
    max_output = forms.IntegerField(
        label=_("Longest answer, in tokens"),
        validators=_between(LEAST_OUTPUT, MOST_WINDOW),
    )
    is_small = forms.BooleanField(
        label=_("Small model: show it a part of a long file instead of the whole"),
        required=False,
    )

    def __init__(
        self,
        data: Any = None,
        *,
        team: Team,
        preset: Preset,
        row: Endpoint | None = None,
        initial: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(data, initial=initial)
        self.team, self.row, self.preset = team, row, preset
        self.key_is_lost = row is not None and endpoints.key_of(row) is None
        self.keeps_key = row is not None and bool(row.key)
        if not self.keeps_key:
            del self.fields["remove_key"]
        self.fields["key"].help_text = self._about_key()

    def _about_key(self) -> str:
        if self.key_is_lost:
            return translated(KEY_LOST)
        if self.keeps_key:
            return gettext("A key is kept; type another to replace it.")
        if not self.preset.needs_key:
            return gettext("Not needed, unless the server was set up to ask for one.")
        return gettext("Kept encrypted, sent to this address alone, and never shown again.")

    def clean_base_url(self) -> str:
        """Return the address without a slash behind it; one out of reach is refused."""
        address = str(self.cleaned_data["base_url"]).strip().rstrip("/")
        problem = check_url(address, reach())
        if problem is not None:
            raise ValidationError(translated(problem))
        return address

    def clean_key(self) -> str:
        """Return the key; what cannot stand in a header is refused without repeating it."""
        key = str(self.cleaned_data["key"])
        if not key.isascii() or not key.isprintable() or " " in key:
            raise ValidationError(
                gettext("A key has no blanks and no letters but a to z. Copy it again.")
            )
        return key

    def clean_model(self) -> str:
        """Return the model's name; one that cannot be shown is refused."""
        return visible(self.cleaned_data["model"])

    def clean_label(self) -> str:
        """Return the name, which is the model's where none was typed; one that cannot be shown, or
        that another model has, is refused."""
        label = visible(self.cleaned_data["label"] or self.cleaned_data.get("model", "")[:80])
        if endpoints.is_label_taken(self.team, label, but=self.row.pk if self.row else ""):
            raise ValidationError(
                gettext("Another model of the team has this name. Give this one another.")
            )
        return label

    def clean(self) -> dict[str, Any]:
        """Look at what must fit together."""
        values = super().clean() or self.cleaned_data
        window, most = values.get("context_window"), values.get("max_output")
        if window and most and most >= window:
            self.add_error(
                "max_output",
                gettext("It must leave room for the question: less than %(window)s tokens.")
                % {"window": window},
            )
        if "key" in values and "base_url" in values and not values["key"]:
            self._miss_key(values["base_url"])
        return values

    def _miss_key(self, address: str) -> None:
        if self.keeps_key and self.row is not None:
            moved = origin_of(address) != origin_of(self.row.base_url)
            if moved and not self.cleaned_data.get("remove_key"):
                self.add_error(
                    "key",
                    gettext(
                        "The key that is kept was typed for another address, and is not sent to "
                        "%(host)s. Type the key for this one, or remove it."
                    )
                    % {"host": urlsplit(address).netloc},
                )
        elif self.row is None and self.preset.needs_key and self.preset.id != OTHER:
            self.add_error(
                "key",
                gettext("%(name)s answers nobody without a key. Paste yours.")
                % {"name": self.preset.label},
            )

    def draft(self) -> Draft:
        """Return what was typed, but for the key."""
        named = {
            name: value
            for name, value in self.cleaned_data.items()
            if name not in ("key", "remove_key")
        }
        return Draft(**named, preset=self.preset.id)

    def new_key(self) -> str | None:
        """Return the key to keep from now on; None leaves the one that is kept."""
        if self.cleaned_data["key"]:
            return str(self.cleaned_data["key"])
        if self.row is None or self.cleaned_data.get("remove_key"):
            return ""
        return None
