"""Java files, as programs that call one method with any arguments."""

from sorrel.frontends.errors import Unsupported
from sorrel.frontends.java.reader import called, read

__all__ = ["Unsupported", "called", "read"]
