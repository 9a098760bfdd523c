"""Wires everything together: settings, addresses, ASGI, Celery. Imported by nothing."""
