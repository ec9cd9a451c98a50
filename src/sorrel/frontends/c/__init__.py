"""C files, read by a compiler's own parser, as programs: `read` and its settings."""

from sorrel.frontends.c.entry import started_by
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.outline import Declared, outline
from sorrel.frontends.c.reader import Files, opened, read, read_each, read_with_globals
from sorrel.frontends.c.settings import CSettings, DataModel
from sorrel.frontends.c.wording import Wording

__all__ = [
    "CSettings",
    "DataModel",
    "Declared",
    "Files",
    "Unsupported",
    "Wording",
    "opened",
    "outline",
    "read",
    "read_each",
    "read_with_globals",
    "started_by",
]
