"""What `sorrel verify` and `sorrel summarize` can be told: the arguments, in the groups that their help shows."""

from __future__ import annotations

import argparse

from sorrel.cli.console import add_assuming, add_engine, add_limits, add_seed
from sorrel.cli.report import add_html
from sorrel.model.assumption import AssumptionKind
from sorrel.model.property import Property
from sorrel.model.task import ARITHMETICS, COMPOSITIONS, DATA_MODELS


def add_verify(parser: argparse.ArgumentParser) -> None:
    _add_program(parser)
    _add_question(parser)
    _add_several_runs(parser)
    _add_assumptions(parser)
    _add_output(parser)
    add_engine(parser)
    add_limits(parser, "for the whole command; several properties or functions share it")
    _add_evidence(parser)


def _add_question(parser: argparse.ArgumentParser) -> None:
    question = parser.add_argument_group("what to check")
    question.add_argument(
        "--property",
        action="append",
        default=[],
        metavar="P",
        help=f"what to check (repeatable): {', '.join(Property)}, or a property file (.prp); default assertions",
    )
    question.add_argument(
        "--all-functions",
        action="store_true",
        help="verify each function that the files define, and infer its precondition",
    )
    question.add_argument(
        "--rule", default="", metavar="R", help="use a proof rule of `sorrel rules`, or a file (.rule)"
    )


def _add_several_runs(parser: argparse.ArgumentParser) -> None:
    several = parser.add_argument_group("properties of several runs")
    several.add_argument(
        "--spec",
        default="",
        metavar="S",
        help="a law about several runs of --function: its name (commutativity, comparator, P13, equivalence=G, ...), "
        "the name of one in a comment (//@ hyper ...), all of these (comments), or a file",
    )
    several.add_argument(
        "--composition",
        choices=COMPOSITIONS,
        default="",
        help="how several runs are composed: one after the other (naive), with loops in lockstep (lockstep, the "
        "default for laws), or procedure by procedure as well (modular, the default for information flow)",
    )
    for word, others in (
        ("public", "all others are secret unless --secret is given"),
        ("secret", "all others are public"),
    ):
        several.add_argument(
            f"--{word}",
            action="append",
            default=[],
            metavar="NAME",
            help=f"this input (a parameter, a global variable, or a function that returns inputs) is {word}; "
            f"{others} (repeatable)",
        )


def _add_assumptions(parser: argparse.ArgumentParser) -> None:
    assumptions = parser.add_argument_group("arithmetic and assumptions")
    assumptions.add_argument(
        "--arith",
        choices=ARITHMETICS,
        default="auto",
        help="signed integers: unbounded (ideal), within the ranges of their types (ranged), bit-vectors (exact); "
        "auto tries them in this order",
    )
    assumptions.add_argument(
        "--strict", action="store_true", help="answer unknown if the proof rests on an open assumption"
    )
    add_assuming(assumptions, f"assume this without proof (repeatable): {', '.join(AssumptionKind)}")
    assumptions.add_argument(
        "--no-preconditions",
        dest="preconditions",
        action="store_false",
        help="with --function, report errors instead of inferring preconditions",
    )


def _add_evidence(parser: argparse.ArgumentParser) -> None:
    runs = parser.add_argument_group("counterexamples")
    runs.add_argument("--replay", action="store_true", help="compile the program and replay the counterexample")
    runs.add_argument(
        "--validate", action="store_true", help="compare some runs with those of the compiled program, as --replay does"
    )
    runs.add_argument("--harness", metavar="FILE", help="write a C program that reproduces the counterexample")
    files = parser.add_argument_group("evidence in files")
    files.add_argument("--witness", metavar="FILE", help="write an SV-COMP witness")
    files.add_argument(
        "--witness-format",
        choices=("2.0", "2.1"),
        default="2.1",
        help="2.1 (default) also holds contracts of functions",
    )
    files.add_argument("--sarif", metavar="FILE", help="write the result as SARIF 2.1.0")
    files.add_argument("--horn", metavar="FILE", help="save the program's Horn clauses, for sorrel check")
    files.add_argument("--certificate", metavar="FILE", help="save the evidence about the program's Horn clauses")


def add_summarize(parser: argparse.ArgumentParser) -> None:
    """No engine is asked: contracts are guessed from templates and runs, and kept where they are inductive."""
    _add_program(parser)
    _add_output(parser)
    add_seed(parser.add_argument_group("proof search"))
    add_limits(parser, "for the whole command", evidence=False)
    parser.add_argument("--flow", action="store_true", help="show which inputs the results of functions depend on")


def _add_program(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="C, Java or OCaml files that form one program; a task file (.yml); or a program in text form (.sorrel)",
    )
    program = parser.add_argument_group("program")
    program.add_argument(
        "--function", default="", metavar="F", help="start at F, with arbitrary arguments, instead of main"
    )
    program.add_argument(
        "--data-model", choices=DATA_MODELS, default="", help="default: that of the task, or of this machine"
    )
    program.add_argument(
        "-I", dest="include", action="append", default=[], metavar="DIR", help="search DIR for headers"
    )
    program.add_argument(
        "-D", dest="define", action="append", default=[], metavar="NAME[=VALUE]", help="define a macro"
    )
    program.add_argument("-std", dest="standard", default="", metavar="STANDARD", help="the version of C, such as c99")
    program.add_argument(
        "-include", dest="forced", action="append", default=[], metavar="FILE", help="read FILE before each C file"
    )
    program.add_argument(
        "--library",
        action="append",
        default=[],
        metavar="FILE",
        help="a C file with models of functions that no other file defines",
    )
    program.add_argument(
        "--malloc-may-fail",
        dest="failing_allocation",
        action="store_true",
        help="malloc, calloc and realloc may return null (by default they are assumed to succeed)",
    )
    program.add_argument(
        "--assume",
        action="append",
        default=[],
        metavar="CONDITION",
        help="an ACSL condition that holds before --function is called, such as 'n <= 100' (repeatable)",
    )
    program.add_argument(
        "--compile-commands",
        default="",
        metavar="FILE",
        help="take -I, -D, -std and -include for the given files from a compile_commands.json",
    )


def _add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--acsl", metavar="FILE", help="write the contracts into a copy of the source")
    parser.add_argument("--mli", metavar="FILE", help="write the types of OCaml functions as an interface")
    add_html(parser)
