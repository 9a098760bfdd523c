"""Forms about sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms

from webapp.pairing.models import Session
from webapp.teams.names import visible

if TYPE_CHECKING:
    SessionForm = forms.ModelForm[Session]
else:
    SessionForm = forms.ModelForm  # generic for the type checker only


class TitleForm(SessionForm):
    """A session's title."""

    class Meta:
        model = Session
        fields = ("title",)
        widgets = {"title": forms.TextInput(attrs={"autocomplete": "off"})}

    def clean_title(self) -> str:
        """Return the title; one that cannot be shown is refused."""
        return visible(self.cleaned_data["title"])
