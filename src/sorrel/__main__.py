"""`python -m sorrel` and the command `sorrel`: the versions at once, everything else by the command line."""

import sys


def main() -> int:
    if sys.argv[1:] == ["--version"]:
        from sorrel.versions import lines

        print("\n".join(lines()))
        return 0
    if sys.argv[1:2] in (["solve"], ["verify"], ["learn"]) and not {"-h", "--help"} & set(sys.argv):
        from sorrel.process.starting import start_early

        start_early()
    from sorrel import cli  # not before it is needed: scripts ask for the version often

    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
