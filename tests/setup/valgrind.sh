#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Run a test under valgrind: any error and any leak is a failure, nothing is suppressed. 77, not run, without valgrind.
if ! command -v valgrind >/dev/null; then
  echo "NOT RUN: needs valgrind, which is not installed"
  exit 77
fi
# Reachable blocks are compiled contracts, which live as long as the process.
leaks="--leak-check=full --errors-for-leak-kinds=definite,indirect,possible"
case $1 in
*/faults_*) leaks=--leak-check=no ;; # they count the hub's blocks themselves, and break tests off with their own
esac
# shellcheck disable=SC2086
exec valgrind --quiet --error-exitcode=99 $leaks --num-callers=30 "$@"
