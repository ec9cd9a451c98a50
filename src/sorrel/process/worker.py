"""The module that a worker is started by: what it does is in `job`, which is loaded when that is cheap."""

from __future__ import annotations

import sys


def main() -> int:
    from sorrel.process.postponed import postpone

    postpone("inspect")
    from sorrel.process import job

    return job.main()


if __name__ == "__main__":
    sys.exit(main())
