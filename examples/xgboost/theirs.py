# SPDX-License-Identifier: Apache-2.0
"""XGBoost's own Python package, for compare.py: theirs.py train|load FOLDER

`train` writes scikit-learn's data sets into FOLDER, trains on them, and writes what it predicts; `load` predicts by the
models that this project's binding has saved there.
"""

import json
import sys
from pathlib import Path

import numpy as np
import xgboost
from sklearn.datasets import load_breast_cancer, load_diabetes

DATA = {"breast_cancer": load_breast_cancer, "diabetes": load_diabetes}


def train(folder, settings):
    for name, load in DATA.items():
        x, y = (np.ascontiguousarray(part, np.float32) for part in load(return_X_y=True))
        params = {key: value for key, value in settings[name].items() if key != "rounds"}
        booster = xgboost.train(params, xgboost.DMatrix(x, y), settings[name]["rounds"])
        np.savez(folder / f"{name}.npz", x=x, y=y, predicted=booster.inplace_predict(x))
    return {"xgboost": xgboost.__version__}


def load(folder, settings):
    for name in settings:
        x = np.load(folder / f"{name}.npz")["x"]
        booster = xgboost.Booster(model_file=folder / f"{name}.json")
        np.save(folder / f"{name}.npy", booster.inplace_predict(x))
    return {}


folder = Path(sys.argv[2])
settings = json.loads((folder / "settings.json").read_text())
print(json.dumps({"train": train, "load": load}[sys.argv[1]](folder, settings)))
