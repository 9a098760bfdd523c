"""Addresses of the pages about sessions."""

from django.urls import include, path

from webapp.pages import (
    exporting,
    history,
    offline,
    past,
    preview,
    replay,
    settings,
    starting,
    uploading,
    views,
)

urlpatterns = [
    path("", views.sessions, name="sessions"),
    path("favicon.ico", views.favicon),
    path("sw.js", offline.worker, name="worker"),
    path("offline/", offline.offline, name="offline"),
    path("new/", starting.new_session, name="new_session"),
    path("s/<str:slug>/", views.session_page, name="session"),
    path("preview/<str:version>/", preview.frame, name="preview_frame"),
    path("s/<str:slug>/files/<str:file>/", preview.binary, name="session_binary"),
    path("s/<str:slug>/export/", exporting.choose, name="session_export"),
    path("s/<str:slug>/download/", exporting.download, name="session_download"),
    path("s/<str:slug>/patch/", exporting.patch, name="session_patch"),
    path("s/<str:slug>/upload/", uploading.upload, name="session_upload"),
    path("s/<str:slug>/rename/", views.rename, name="session_rename"),
    path("s/<str:slug>/settings/", settings.settings, name="session_settings"),
    path("s/<str:slug>/delete/", views.delete, name="session_delete"),
    path("s/<str:slug>/restore/", views.restore, name="session_restore"),
    path("s/<str:key>/history/", include(past.addresses(history.answered, "session_history"))),
    path("s/<str:slug>/fork/", history.fork, name="session_fork"),
    path("s/<str:slug>/replays/", replay.links, name="session_replays"),
    path("s/<str:slug>/replays/<str:replay>/revoke/", replay.revoke, name="replay_revoke"),
    path("replay", replay.landing, name="replay"),
    path("replay/<str:replay>/", replay.page, name="replay_page"),
    path("replay/<str:key>/history/", include(past.addresses(replay.answered, "replay_history"))),
]
