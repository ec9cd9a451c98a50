"""Which Sorrel this is, and which solvers and parsers it rests on: an answer depends on them."""

from __future__ import annotations

from collections.abc import Iterator

from sorrel import __version__

PACKAGES = ("z3-solver", "bitwuzla", "cvc5", "libclang", "tree-sitter-java", "tree-sitter-ocaml")


def lines() -> Iterator[str]:
    from importlib.metadata import PackageNotFoundError, version  # takes long to load, for what few ask

    yield f"sorrel {__version__}"
    for package in PACKAGES:
        try:
            yield f"{package} {version(package)}"
        except PackageNotFoundError:
            yield f"{package} is not installed"
