"""What a session lets the model do unasked: a dialog of its page, and a page of its own.

Everybody in the session may see it; its owners and whoever made it may change it. Open rooms see
`access_version` go up, take the new rules and tell everybody (live/hub.py).
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from webapp.pages.answers import session_or_404
from webapp.pairing import access, shelf
from webapp.pairing.models import Session

if TYPE_CHECKING:
    SettingsModelForm = forms.ModelForm[Session]
else:
    SettingsModelForm = forms.ModelForm  # generic for the type checker only

MOST_GLOBS: Final = 100
LONGEST_GLOB: Final = 200
MOST_LINES: Final = 100_000


class SettingsForm(SettingsModelForm):
    """Which paths a turn asks for before it touches them, and how much it may take out of one."""

    protected = forms.CharField(
        label=_("Protected paths"),
        help_text=_(
            "One a line. A turn asks before it touches them. “*” stands for anything within a name,"
            " “**” for any folders; a name without a slash is protected in every folder, and a"
            " folder with all that is in it."
        ),
        required=False,
        max_length=MOST_GLOBS * (LONGEST_GLOB + 2),
        widget=forms.Textarea(
            attrs={
                "rows": 6,
                "class": "mono",
                "spellcheck": "false",
                "autocapitalize": "off",
                "autocomplete": "off",
                "placeholder": "migrations/\n*.lock",
            }
        ),
    )
    guard_lines = forms.IntegerField(
        label=_("Lines that a turn may take out of a file unasked"),
        min_value=0,
        max_value=MOST_LINES,
    )
    guard_percent = forms.IntegerField(
        label=_("And how much of the file, in per cent"),
        help_text=_(
            "A turn asks when it would take out more than both, without writing as much itself."
        ),
        min_value=0,
        max_value=100,
    )

    class Meta:
        model = Session
        fields = ("protected", "guard_lines", "guard_percent")

    def clean_protected(self) -> str:
        """Return the globs, one a line, each once; each that cannot be one has its sentence."""
        lines = (line.strip() for line in self.cleaned_data["protected"].splitlines())
        globs = list(dict.fromkeys(line for line in lines if line))
        if len(globs) > MOST_GLOBS:
            raise ValidationError(
                ngettext(
                    "At most %(most)s path can be protected. Nothing was changed; protect a"
                    " folder in place of what is in it.",
                    "At most %(most)s paths can be protected. Nothing was changed; protect a"
                    " folder in place of what is in it.",
                    MOST_GLOBS,
                )
                % {"most": MOST_GLOBS}
            )
        problems = [problem for glob in globs if (problem := problem_of(glob))]
        if problems:
            raise ValidationError(problems)
        return "\n".join(globs)


def problem_of(glob: str) -> str:
    """Return the sentence that says why this cannot be a protected path, or ""."""
    shown = "".join(" " if unicodedata.category(c)[0] == "C" else c for c in glob)
    shown = shown if len(shown) <= 60 else shown[:59] + "…"
    names = [name for name in glob.split("/") if name]
    if len(glob) > LONGEST_GLOB:
        text = gettext("“%(path)s” is longer than %(most)s characters.")
        return text % {"path": shown, "most": LONGEST_GLOB}
    if any(unicodedata.category(character)[0] == "C" for character in glob):
        text = gettext("“%(path)s” holds a character that cannot be seen; no path has one.")
    elif "\\" in glob:
        text = gettext("“%(path)s” has a backslash; folders come from slashes.")
    elif ".." in names:
        text = gettext("“%(path)s” leads out of the project with its “..”.")
    elif not [name for name in names if name != "."]:
        text = gettext("“%(path)s” names no file and no folder; “**” is everything.")
    elif any("**" in name and name != "**" for name in names):
        text = gettext("“%(path)s”: “**” has to stand alone between slashes.")
    else:
        return ""
    return text % {"path": shown}


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a session's settings; on POST, change them."""
    session, role = session_or_404(request, slug)
    may_change = access.may_configure(request.user, session, role)
    if request.method == "POST" and not may_change:
        raise Http404
    form = SettingsForm(request.POST or None, instance=session)
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        if shelf.configure(session, said["protected"], said["guard_lines"], said["guard_percent"]):
            messages.success(request, gettext("The settings were changed."))
        return redirect("session", slug)
    if not may_change:
        for field in form.fields.values():
            field.disabled = True
    whole = request.headers.get("HX-Request") != "true"
    template = "pages/settings.html" if whole else "pages/_settings.html"
    context = {"configured": session, "settings_form": form, "may_change": may_change}
    response = render(request, template, context, status=422 if form.errors else 200)
    patch_vary_headers(response, ("HX-Request",))
    return response
