"""Horn systems to simpler ones. Every pass returns a lift, which carries evidence back to the system it was given."""
