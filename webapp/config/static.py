"""Hashed names for static files, so that they can be cached for ever."""

from typing import Any

from django.conf import settings
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    """Also rewrites the imports of ES modules, each of which must end with a semicolon."""

    support_js_module_import_aggregation = True
    manifest_strict = True

    def create_compressor(self, **kwargs: Any) -> Compressor:
        """Compress unless STATIC_COMPRESS is off: it takes seconds, and loopback gains nothing."""
        wanted = settings.STATIC_COMPRESS
        return Compressor(use_gzip=wanted, use_brotli=wanted, **kwargs)
