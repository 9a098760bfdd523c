"""Hashed names for static files, so that they can be cached for ever."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    """Also rewrites the imports of ES modules, each of which must end with a semicolon."""

    support_js_module_import_aggregation = True
    manifest_strict = True
