"""Coming in by a one-time link, the first page after it, and the profile.

The link's secret stands behind `#` in the address, so opening a link sends it nowhere; only the
button on the page does. Link previews and prefetches therefore use up nothing.
"""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from webapp.accounts.forms import NameForm, WelcomeForm
from webapp.pairing.access import sessions_for
from webapp.teams.models import User
from webapp.teams.signin import use_link

_BACKEND = "django.contrib.auth.backends.ModelBackend"
_GONE = 410


@never_cache
@sensitive_post_parameters("secret")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_link(request: HttpRequest) -> HttpResponse:
    """Show the button that uses a link up; on POST, sign in whom the link is for."""
    if request.method != "POST":
        return render(request, "accounts/link.html")
    user = use_link(request.POST.get("secret", ""))
    if user is None:
        return render(request, "accounts/link_gone.html", status=_GONE)
    login(request, user, backend=_BACKEND)
    return redirect(_first_page(user) if user.has_usable_password() else reverse("welcome"))


@never_cache
@login_required
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def welcome(request: HttpRequest) -> HttpResponse:
    """Ask for name, email and password of somebody who has none yet."""
    user = cast(User, request.user)
    if user.has_usable_password():
        return redirect("profile")
    # A form changes its instance while it validates; the page around it shows the person as stored.
    form = WelcomeForm(request.POST or None, instance=User.objects.get(pk=user.pk))
    if request.method == "POST" and form.is_valid() and form.saved():
        update_session_auth_hash(request, form.instance)
        return redirect(_first_page(user))
    return render(request, "accounts/welcome.html", {"form": form, "first_page": _first_page(user)})


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Show and change the person's name; password and colours are one step away."""
    user = cast(User, request.user)
    form = NameForm(request.POST or None, instance=User.objects.get(pk=user.pk))
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(
            request, gettext("Your name was saved. Open sessions show it after a reload.")
        )
        return redirect("profile")
    return render(request, "accounts/profile.html", {"form": form})


def _first_page(user: User) -> str:
    """Return where to go first: the only session there is, else the list."""
    slugs = list(sessions_for(user).values_list("slug", flat=True)[:2])
    return reverse("session", args=slugs) if len(slugs) == 1 else reverse("sessions")
