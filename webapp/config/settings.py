"""Settings, all from the environment; docs/operate.md lists each with its default and unit."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import dj_database_url
from csp.constants import NONCE, NONE, SELF

from webapp.engine.providers.reach import parse_hosts

BASE_DIR = Path(__file__).resolve().parent.parent.parent


def env(name: str, default: str = "") -> str:
    """Return a setting's text, trimmed."""
    return os.environ.get(name, default).strip()


def env_list(name: str) -> list[str]:
    """Return a comma-separated setting as a list."""
    return [part.strip() for part in env(name).split(",") if part.strip()]


def env_bool(name: str, default: bool = False) -> bool:
    """Return a switch; anything but 1, true, yes and on is off."""
    return env(name, "1" if default else "0").lower() in {"1", "true", "yes", "on"}


FLINT_HOME = Path(env("FLINT_HOME") or BASE_DIR / ".flint").resolve()
FLINT_PROCESS = env("FLINT_PROCESS") or f"web-{os.getpid()}-{secrets.token_hex(4)}"
"""This process's name in leases; a supervisor that gives one can expire them at once."""

DEBUG = env_bool("FLINT_DEBUG")
TESTING = env_bool("FLINT_TESTING")


def _secret_key() -> str:
    key = env("SECRET_KEY")
    if key:
        return key
    kept = FLINT_HOME / "secret-key"
    try:
        return kept.read_text(encoding="ascii").strip()
    except OSError:
        # Without a kept key every restart signs everybody out; the appliance writes one.
        return secrets.token_urlsafe(48)


SECRET_KEY = _secret_key()

HOST = env("HOST", "127.0.0.1") or "127.0.0.1"
PORT = int(env("PORT", "8000") or 8000)
PUBLIC_ORIGINS = env_list("PUBLIC_ORIGINS") or [
    f"http://127.0.0.1:{PORT}",
    f"http://localhost:{PORT}",
]
"""Full origins (scheme, host, port) people reach this Flint at; nothing else may open a socket."""

ALLOWED_HOSTS = sorted({urlsplit(origin).hostname or "" for origin in PUBLIC_ORIGINS})
CSRF_TRUSTED_ORIGINS = PUBLIC_ORIGINS
_SECURE = all(origin.startswith("https://") for origin in PUBLIC_ORIGINS)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _SECURE
SESSION_COOKIE_NAME = f"flint_session_{PORT}" if not _SECURE else "__Host-flint_session"
CSRF_COOKIE_NAME = f"flint_csrf_{PORT}" if not _SECURE else "__Host-flint_csrf"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env_bool("BEHIND_PROXY") else None
SECURE_REFERRER_POLICY = "no-referrer"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

INSTALLED_APPS = [
    "daphne",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "allauth",
    "allauth.account",
    "webapp.teams",
    "webapp.pairing",
    "webapp.live",
    "webapp.api",
    "webapp.accounts",
    "webapp.pages",
    "webapp.dashboard",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Before whatever refuses a request, so that the pages that say so have the headers too.
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "worker-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

ROOT_URLCONF = "webapp.config.urls"
ASGI_APPLICATION = "webapp.config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
            ],
        },
    }
]

DATABASE_URL = env("DATABASE_URL") or f"sqlite:///{quote(str(FLINT_HOME / 'flint.sqlite3'))}"
DATABASES = {"default": dj_database_url.parse(DATABASE_URL, conn_max_age=600)}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # IMMEDIATE takes the write lock at BEGIN, so that a busy database waits instead of failing;
    # FULL makes an acknowledged edit survive a power cut.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    }
    DATABASES["default"]["TEST"] = {"NAME": str(FLINT_HOME / "test.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env("REDIS_URL") or "redis://127.0.0.1:6379/0"

# Kombu spells a unix socket differently from redis-py.
_BROKER = REDIS_URL.replace("unix://", "redis+socket://", 1)
CELERY_BROKER_URL = _BROKER
CELERY_RESULT_BACKEND = None
CELERY_TASK_IGNORE_RESULT = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_DEFAULT_QUEUE = "flint"
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"

AUTH_USER_MODEL = "teams.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_ADAPTER = "webapp.accounts.adapter.AccountAdapter"
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_NOTIFICATIONS = False
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"

CACHES = {"default": {"BACKEND": "webapp.config.cache.RedisElseLocal", "LOCATION": REDIS_URL}}

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]
LOCALE_PATHS = [BASE_DIR / "webapp" / "locale"]
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# Uploads: see pages/receiving.py, which counts bytes; a text that is pasted counts here.
FILE_UPLOAD_HANDLERS = ["webapp.pages.receiving.Spool"]
DATA_UPLOAD_MAX_NUMBER_FILES = 5_000
DATA_UPLOAD_MAX_MEMORY_SIZE = 7 * 1024 * 1024

STATIC_URL = "/static/"
STATIC_ROOT = Path(env("STATIC_ROOT") or FLINT_HOME / "static")
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_COMPRESS = env_bool("FLINT_STATIC_COMPRESS", default=True)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG or TESTING
        else "webapp.config.static.HashedStaticFiles"
    },
}
WHITENOISE_USE_FINDERS = DEBUG or TESTING
WHITENOISE_AUTOREFRESH = DEBUG

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "%(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": env("LOG_LEVEL", "WARNING") or "WARNING"},
    # Anybody can send a request under another name; it is answered with a page, and is no error.
    "loggers": {"django.security.DisallowedHost": {"level": "CRITICAL"}},
}


def _model(tier: str) -> dict[str, Any]:
    """Return what the environment says of a tier's model, an OpenAI-compatible server.

    The appliance fills these in for the embedded ones unless the operator did.
    """
    prefix = f"FLINT_{tier.upper()}"
    base_url = env(f"{prefix}_BASE_URL")
    return {
        "base_url": base_url,
        "api_key": env(f"{prefix}_API_KEY"),
        "model": env(f"{prefix}_MODEL"),
        "context_window": int(env(f"{prefix}_CONTEXT", "8192") or 8192),
        "max_output": int(env(f"{prefix}_MAX_OUTPUT", "4096") or 4096),
        # Whether the model is small enough to be shown a region instead of a long file.
        "small": env_bool(f"{prefix}_SMALL", default=not base_url),
        "edit_format": env(f"{prefix}_FORMAT", "whole") or "whole",
        "status_file": Path(env(f"{prefix}_STATUS") or FLINT_HOME / f"model-{tier}.json"),
    }


MODELS = {tier: _model(tier) for tier in ("preview", "standard")}


def _only_this_machine() -> bool:
    """Say whether nobody but this machine's users can reach Flint, by a proxy neither."""
    names = {HOST, *(urlsplit(origin).hostname or "" for origin in PUBLIC_ORIGINS)}
    own = re.compile(r"localhost|::1|127(\.\d{1,3}){3}")
    return not env_bool("BEHIND_PROXY") and all(own.fullmatch(name) for name in names)


FLINT_LOOPBACK_ONLY = _only_this_machine()
"""Then a team may add models on loopback (Ollama, LM Studio), which strangers must not reach."""

FLINT_ENDPOINT_HOSTS = parse_hosts(env("FLINT_ENDPOINT_HOSTS"))
"""Names and networks of private model servers that teams may add; there http is allowed too."""

FLINT_ENDPOINT_KEYS = env_list("FLINT_ENDPOINT_KEYS")
"""Fernet keys, newest first, which the keys of models are encrypted with; else a file of ours."""

METRICS_TOKEN = env("METRICS_TOKEN")
