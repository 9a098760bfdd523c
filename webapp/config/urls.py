"""Every address of the product; each room keeps its own list."""

from django.urls import include, path
from django.views.i18n import JavaScriptCatalog

urlpatterns = [
    path("i18n/js/", JavaScriptCatalog.as_view(domain="djangojs"), name="javascript-catalog"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("accounts/", include("webapp.accounts.urls")),
    path("", include("webapp.api.urls")),
    path("team/<str:team>/", include("webapp.dashboard.urls")),
    path("", include("webapp.pages.urls")),
]
