"""What is C, but not ours."""

from __future__ import annotations

from sorrel.frontends.errors import Unsupported

__all__ = ["Unsupported"]
