"""Health and metrics. They answer anybody who reaches them, so they tell no more than they must."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from webapp.api import health, metrics

_UNAVAILABLE = 503
_UNAUTHORIZED = 401


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Say that this process is alive; asks nothing else."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Say whether database, Redis and worker answer; 503 when one does not."""
    parts = health.report()
    ready = all(said == "ok" for said in parts.values())
    return JsonResponse(
        {"status": "ok" if ready else "unavailable", **parts}, status=200 if ready else _UNAVAILABLE
    )


@never_cache
@require_safe
def metrics_page(request: HttpRequest) -> HttpResponse:
    """Return the figures to who has the token; while the settings hold none, there is no page."""
    token = settings.METRICS_TOKEN
    if not token:
        raise Http404
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not constant_time_compare(given.strip(), token):
        answer = HttpResponse(
            "A token is needed.\n", status=_UNAUTHORIZED, content_type="text/plain"
        )
        answer["WWW-Authenticate"] = "Bearer"
        return answer
    return HttpResponse(metrics.page(), content_type=metrics.CONTENT_TYPE)
