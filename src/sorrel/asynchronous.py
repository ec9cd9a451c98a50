"""The Python interface for asyncio: the same calls, to be awaited; a task that is cancelled ends its workers."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable
from typing import Any

from sorrel import api
from sorrel.model.outcome import Outcome
from sorrel.process.cancellation import Cancellation


async def solve(*arguments: Any, **named: Any) -> Outcome:
    """Like `sorrel.solve`."""
    return await _awaited(api.solve, *arguments, **named)


async def verify(*arguments: Any, **named: Any) -> Outcome:
    """Like `sorrel.verify`."""
    return await _awaited(api.verify, *arguments, **named)


async def summarize(*arguments: Any, **named: Any) -> Outcome:
    """Like `sorrel.summarize`."""
    return await _awaited(api.summarize, *arguments, **named)


async def _awaited(ask: Callable[..., Outcome], *arguments: Any, **named: Any) -> Outcome:
    """In a thread, which is gone with its workers before the cancellation goes on."""
    cancellation = named.pop("cancellation", None) or Cancellation()
    work = asyncio.ensure_future(
        asyncio.to_thread(functools.partial(ask, *arguments, cancellation=cancellation, **named))
    )
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        cancellation.cancel()
        await asyncio.wait([work])
        raise
