"""What every test may use. Settings are in settings.py, people in cast.py."""
