"""Hypothesis without deadlines: the first draw compiles a kernel, and machines differ."""

from hypothesis import settings

settings.register_profile("tacit", deadline=None)
settings.load_profile("tacit")
