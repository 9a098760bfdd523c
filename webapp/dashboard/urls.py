"""Addresses of a team's pages."""

from django.urls import URLPattern, URLResolver, path

from webapp.dashboard import editing, views

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.team, name="team"),
    path("models/", views.models, name="team_models"),
    path("models/add/", editing.add, name="add_model"),
    path("models/try/", editing.try_new, name="try_model"),
    path("models/found/", views.found, name="found_models"),
    path("models/installed/<str:tier>/default/", views.give_back, name="default_installed"),
    path("models/<str:model>/", editing.change, name="change_model"),
    path("models/<str:model>/try/", editing.try_changed, name="try_changed_model"),
    path("models/<str:model>/test/", views.test, name="test_model"),
    path("models/<str:model>/window/", views.window, name="model_window"),
    path("models/<str:model>/default/", views.make_default, name="default_model"),
    path("models/<str:model>/delete/", views.delete, name="delete_model"),
    path("models/<str:model>/restore/", views.restore, name="restore_model"),
]
