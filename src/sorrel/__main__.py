"""`python -m sorrel` is the command `sorrel`."""

import sys

from sorrel.cli import main

sys.exit(main())
