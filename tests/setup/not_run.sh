#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Stands for a test whose language is missing: status 77 is "not run", and 1 when DLFERRY_REQUIRE names the language.
case ",${DLFERRY_REQUIRE:-}," in
*",$1,"*)
  echo "FAILED: $1 is required (DLFERRY_REQUIRE) but missing: $2"
  exit 1
  ;;
esac
echo "NOT RUN: needs $1, which is missing: $2"
exit 77
