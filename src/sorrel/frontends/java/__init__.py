"""Java files, as programs that call one method with any arguments."""

from sorrel.frontends.errors import Unsupported
from sorrel.frontends.java.harness import NotBuilt, harness
from sorrel.frontends.java.reader import called, read
from sorrel.frontends.java.realisation import Realised, realised

__all__ = ["NotBuilt", "Realised", "Unsupported", "called", "harness", "read", "realised"]
