"""Forms about the account. Placeholders that repeat the label are taken off allauth's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account import forms as allauth_forms
from allauth.account.models import EmailAddress
from django import forms
from django.contrib.auth import password_validation
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from webapp.pairing.firstrun import OWNER_EMAIL
from webapp.teams.models import User
from webapp.teams.names import visible

if TYPE_CHECKING:
    UserForm = forms.ModelForm[User]
else:
    UserForm = forms.ModelForm  # generic for the type checker only


class Plain(forms.Form):
    """Labels instead of placeholders, and the keyboard in the first field."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)
        next(iter(self.fields.values())).widget.attrs["autofocus"] = True


class SignInForm(Plain, allauth_forms.LoginForm):
    """Email and password."""


class ChangePasswordForm(Plain, allauth_forms.ChangePasswordForm):
    """The old password and the new one."""


class AskResetForm(Plain, allauth_forms.ResetPasswordForm):
    """Whose password was forgotten."""


class ResetForm(Plain, allauth_forms.ResetPasswordKeyForm):
    """The new password, from the link in the mail."""


class NameForm(UserForm):
    """What others see beside the person's edits."""

    class Meta:
        model = User
        fields = ("name",)
        widgets = {"name": forms.TextInput(attrs={"autocomplete": "name"})}

    def clean_name(self) -> str:
        """Return the name; one that cannot be shown is refused."""
        return visible(self.cleaned_data["name"])


class WelcomeForm(UserForm):
    """Name, email and password of somebody who came in by a link and has no password yet."""

    email = forms.EmailField(
        label=_("Email"), max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        help_text=_("10 characters or more."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    class Meta:
        model = User
        fields = ("name", "email")
        widgets = {"name": forms.TextInput(attrs={"autocomplete": "name"})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].required = True
        self.fields["name"].widget.attrs["autofocus"] = True
        if self.instance.email == OWNER_EMAIL:
            self.initial["email"] = ""

    def clean_name(self) -> str:
        """Return the name; one that cannot be shown is refused."""
        return visible(self.cleaned_data["name"])

    def clean_email(self) -> str:
        """Return the address in small letters, unless somebody else has it."""
        email = str(self.cleaned_data["email"]).strip().lower()
        if User.objects.filter(email__iexact=email).exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError(_("Somebody here uses this address already."))
        return email

    def _post_clean(self) -> None:
        # After the model's own validation, so that the password is compared with the new name too.
        super()._post_clean()  # type: ignore[misc]  # the stubs leave Django's hook out
        password = self.cleaned_data.get("password")
        if password:
            try:
                password_validation.validate_password(password, self.instance)
            except forms.ValidationError as error:
                self.add_error("password", error)

    def save(self, commit: bool = True) -> User:
        """Store it all at once; a form that lost a race for the address becomes invalid."""
        user: User = self.instance
        user.set_password(self.cleaned_data["password"])
        with transaction.atomic():
            user.save(update_fields=["name", "email", "password"])
            # allauth keeps a copy of addresses; a stale one would still open the door.
            EmailAddress.objects.filter(user=user).exclude(email=user.email).delete()
        return user

    def saved(self) -> bool:
        """Save; say False, with an error on the address, when somebody took it meanwhile."""
        try:
            self.save()
        except IntegrityError:
            self.add_error("email", _("Somebody here uses this address already."))
            return False
        return True
