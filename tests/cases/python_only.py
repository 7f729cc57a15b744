# SPDX-License-Identifier: Apache-2.0
"""The cases of bad_input.json that only Python can have: arrays whose own type says that they cannot be written, and
capsules that have been consumed. "input" names, for each tensor, what it is made as.
"""

import json
import sys
from pathlib import Path

import dlferry
import numpy as np
import photo


def made_as(kind, array):
    """An input of the kind that a case names."""
    if kind == "jax array":
        import jax

        return jax.device_put(array)
    if kind == "torch tensor that requires grad":
        import torch

        return torch.from_numpy(array).requires_grad_()
    if kind == "read-only NumPy array":
        array.flags.writeable = False
        return array
    if kind in ("consumed capsule", "consumed legacy capsule"):
        capsule = dlferry.from_dlpack(array).__dlpack__(max_version=None if "legacy" in kind else (1, 3))
        dlferry.from_dlpack(capsule).release()
        return capsule
    raise ValueError(f"no such input: {kind}")


def run(case):
    """Return what went wrong with a case, or None."""
    arguments = dict(case.get("scalars", {}))
    for name, spec in case["tensors"].items():
        array = np.zeros(spec["shape"], spec["dtype"])
        arguments[name] = made_as(case["input"][name], array) if name in case["input"] else array
    function = dlferry.from_dlpack if case["call"] == "from_dlpack" else getattr(photo, case["call"][len("photo_") :])
    try:
        function(*arguments.values()) if function is dlferry.from_dlpack else function(**arguments)
        got = ("OK", "")
    except dlferry.Error as error:
        got = (error.status.name, str(error))
    return None if got == (case["status"], case["message"]) else got


def main():
    text = (Path(__file__).parent / "bad_input.json").read_text(encoding="utf-8")
    cases = [case for case in json.loads(text)["cases"] if "input" in case and "python" in case["only"]]
    failures = 0
    for case in cases:
        got = run(case)
        if got:
            failures += 1
            print(
                f"FAILED {case['name']}\n  expected {case['status']}: {case['message']}\n  got      {got[0]}: {got[1]}"
            )
    if dlferry.live():
        failures += 1
        print(f"FAILED: {dlferry.live()} tensors still live")
    print(f"python_only: {len(cases)} cases, {failures} failures")
    return 1 if failures or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
