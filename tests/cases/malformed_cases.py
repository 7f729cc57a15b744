# SPDX-License-Identifier: Apache-2.0
"""Turn malformed.json into C, a row a case: malformed_cases.py CASES OUT."""

import json
import sys
from pathlib import Path


def main(cases, out):
    rows = []
    for case in json.loads(Path(cases).read_text(encoding="utf-8"))["cases"]:
        legacy = str(case.get("legacy", False)).lower()
        text = json.dumps(case["message"], ensure_ascii=False)
        rows.append(
            f'{{"{case["name"]}", "{case["malformed"]}", {legacy}, DLF_{case["status"]}, {text}, {case["deleted"]}}},\n'
        )
    Path(out).write_text("".join(rows), encoding="utf-8")


main(*sys.argv[1:])
