# SPDX-License-Identifier: Apache-2.0
"""Train and predict beside XGBoost's own Python package, on the data sets that scikit-learn carries: compare.py SETUP

The package (xgboost-cpu) has a library of its own, mostly a newer one. It lives in an environment below SETUP, which is
made once; without the network the test is not run. `xgb`, the package of this example, is on PYTHONPATH.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import xgb

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / "tests/peers"))
from environments import Missing, hash_of, step  # noqa: E402

SETTINGS = {
    # Exact splits: two versions put the borders of histograms elsewhere.
    "breast_cancer": {"objective": "binary:logistic", "max_depth": 3, "eta": 0.3, "rounds": 30},
    "diabetes": {"objective": "reg:squarederror", "max_depth": 3, "eta": 0.1, "rounds": 60},
}
for options in SETTINGS.values():
    options |= {"tree_method": "exact", "base_score": 0.5, "nthread": 1}

READ = '{"missing": NaN, "nthread": 1}'
PREDICT = (
    '{"type": 0, "training": false, "iteration_begin": 0, "iteration_end": 0, "strict_shape": true, '
    '"missing": NaN, "cache_id": 0}'
)
NOT_RUN = 77


def environment(setup):
    """The interpreter that has the package."""
    folder, requirements = setup / "xgboost", HERE / "requirements.txt"
    python = folder / "bin/python"
    pip = [python, "-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--no-compile", "-r", requirements]
    folder.mkdir(parents=True, exist_ok=True)
    venv = [sys.executable, "-m", "venv", "--clear", folder]
    step(folder, "packages", sys.version + hash_of([requirements]), [venv, pip], print)
    return python


def ours(folder, name, x, y):
    """Predictions of a model that this project's binding trains, saves and loads again."""
    train = xgb.DMatrix(x, READ)
    train.set_info("label", y)
    options = SETTINGS[name] | {"num_feature": x.shape[1]}
    rounds = options.pop("rounds")
    with xgb.Booster() as booster:
        for key, value in options.items():
            booster.set_param(key, str(value))
        for i in range(rounds):
            booster.update_one_iter(i, train)
        booster.save_model(str(folder / f"{name}.json"))
        predicted = booster.predict_in_place(x, PREDICT)[:, 0]
        assert (predicted == booster.predict_in_place(np.asfortranarray(x), PREDICT)[:, 0]).all()
    with xgb.Booster() as loaded:
        loaded.load_model(str(folder / f"{name}.json"))
        assert (predicted == loaded.predict_in_place(x, PREDICT)[:, 0]).all()
    return predicted


def main():
    try:
        python = environment(Path(sys.argv[1]))
    except Missing as why:
        print(f"not run: {why}")
        return NOT_RUN
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "settings.json").write_text(json.dumps(SETTINGS))

        def theirs(verb):
            command = [python, "-B", HERE / "theirs.py", verb, folder]
            return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

        version = theirs("train")["xgboost"]
        data = {name: np.load(folder / f"{name}.npz") for name in SETTINGS}
        predicted = {name: ours(folder, name, its["x"], its["y"]) for name, its in data.items()}
        theirs("load")
        print(f"libxgboost {'.'.join(map(str, xgb.version()))} here, {version} in the package")
        for name, its in data.items():
            loaded = np.load(folder / f"{name}.npy")
            apart = np.abs(predicted[name] - its["predicted"]).max() / np.abs(its["predicted"]).max()
            print(f"{name}: {its['x'].shape[0]} rows of {its['x'].shape[1]}; trained by both, {apart:.1e} apart; "
                  f"our model in the package, {np.abs(predicted[name] - loaded).max():.1e} apart")  # fmt: skip
            # The same trees, of which both add up the leaves in float32.
            assert np.allclose(predicted[name], loaded, rtol=1e-6, atol=1e-6), name
            # Gains and leaves are sums over rows in an order of each version's own.
            assert apart < 1e-4, name
    return 0


if __name__ == "__main__":
    sys.exit(main())
