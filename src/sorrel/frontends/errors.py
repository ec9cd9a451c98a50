"""What is in the language, but not ours."""

from __future__ import annotations

from sorrel.model.errors import Unsupported

__all__ = ["Unsupported"]
