"""The main job with the real embedded model: no key, no service, no script."""
