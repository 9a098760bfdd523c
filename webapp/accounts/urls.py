"""Addresses about accounts: allauth's that we use, in our forms, and our own."""

from allauth.account import views as allauth_views
from django.urls import path, re_path
from django.views.generic import RedirectView

from webapp.accounts import forms, views

urlpatterns = [
    path("link/", views.sign_in_link, name="sign_in_link"),
    path("welcome/", views.welcome, name="welcome"),
    path("profile/", views.profile, name="profile"),
    path(
        "login/",
        allauth_views.LoginView.as_view(form_class=forms.SignInForm),
        name="account_login",
    ),
    path("logout/", allauth_views.logout, name="account_logout"),
    path("inactive/", allauth_views.account_inactive, name="account_inactive"),
    path("signup/", allauth_views.signup, name="account_signup"),
    path(
        "password/change/",
        allauth_views.PasswordChangeView.as_view(form_class=forms.ChangePasswordForm),
        name="account_change_password",
    ),
    path(
        "password/set/", RedirectView.as_view(pattern_name="welcome"), name="account_set_password"
    ),
    path(
        "password/reset/",
        allauth_views.PasswordResetView.as_view(form_class=forms.AskResetForm),
        name="account_reset_password",
    ),
    path(
        "password/reset/done/",
        allauth_views.password_reset_done,
        name="account_reset_password_done",
    ),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        allauth_views.PasswordResetFromKeyView.as_view(form_class=forms.ResetForm),
        name="account_reset_password_from_key",
    ),
    path(
        "password/reset/key/done/",
        allauth_views.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
]
