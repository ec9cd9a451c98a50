"""`python -m sorrel` and the command `sorrel`: the version at once, everything else by the command line."""

import sys

from sorrel import __version__


def main() -> int:
    if sys.argv[1:] == ["--version"]:
        print(f"sorrel {__version__}")
        return 0
    from sorrel import cli  # not before it is needed: scripts ask for the version often

    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
