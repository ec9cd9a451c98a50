"""`python -m sorrel` and the command `sorrel`: the versions at once, everything else by the command line."""

import gc
import sys


def _leave_out_the_current_folder() -> None:
    """`python -m sorrel` looks there first: a `json.py` beside the user's programs is none of ours."""
    ours = __file__.rpartition("/sorrel/")[0]
    if sys.path and not sys.flags.safe_path and sys.path[0] != ours:
        del sys.path[0]


def main() -> int:
    if sys.argv[1:] == ["--version"]:
        return _tell_versions()
    gc.disable()  # what modules define stays; to look through it again and again takes a fifth of the time
    if sys.argv[1:2] in (["solve"], ["verify"], ["learn"], ["lsp"]) and not {"-h", "--help"} & set(sys.argv):
        from sorrel.process.postponed import postpone
        from sorrel.process.starting import start_early

        start_early()
        postpone("inspect")
    from sorrel import cli  # not before it is needed: scripts ask for the version often

    gc.freeze()
    gc.enable()
    return cli.main()


def _tell_versions() -> int:
    from sorrel.versions import lines

    try:
        print("\n".join(lines()), flush=True)
    except OSError as problem:
        from sorrel.cli.main import unwritable

        return unwritable(problem)
    return 0


if __name__ == "__main__":
    _leave_out_the_current_folder()
    sys.exit(main())
