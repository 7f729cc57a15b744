#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Print the tables that tests left in a folder.
for table in "$1"/*.txt; do
  [ -e "$table" ] || continue
  printf '\n== %s\n' "$(basename "$table" .txt)"
  cat "$table"
done
