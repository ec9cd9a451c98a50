"""Transition power abstraction."""
