"""The ASGI application: Django for HTTP, the live consumer for sockets."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.config.settings")

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application

http = get_asgi_application()

from django.urls import path, re_path

from webapp.config.bodies import BoundedBody
from webapp.live.consumer import SessionConsumer
from webapp.live.origins import SameOrigin, nowhere
from webapp.pages.receiving import MAX_BODY_BYTES

application = ProtocolTypeRouter(
    {
        "http": BoundedBody(http, MAX_BODY_BYTES),
        "websocket": SameOrigin(
            AuthMiddlewareStack(
                URLRouter(
                    [
                        path("ws/session/<str:slug>/", SessionConsumer.as_asgi()),
                        re_path("", nowhere),  # type: ignore[arg-type]  # an ASGI application
                    ]
                )
            )
        ),
    }
)
