#!/usr/bin/env bash
# What the GitHub Action runs: one command of Sorrel, whose findings go to a SARIF file and whose exit code is kept.
# Nothing of the project is compiled or run. Words come from the environment, so that no text of a pull request is code.
set -u

case "${SORREL_COMMAND:-check}" in
  check | prove) ;;
  *)
    echo "the command is check or prove, not ${SORREL_COMMAND}" >&2
    exit 1
    ;;
esac

read -r -a options <<<"${SORREL_OPTIONS:-}"
sorrel "${SORREL_COMMAND:-check}" "${SORREL_FOLDER:-.}" --sarif "${SORREL_SARIF:-sorrel.sarif}" ${options[@]+"${options[@]}"}
code=$?
[ -z "${GITHUB_OUTPUT:-}" ] || echo "exit-code=$code" >>"$GITHUB_OUTPUT"
# What is proved under assumptions passes; what is assumed stands in the log.
[ "$code" -eq 3 ] && code=0
exit "$code"
