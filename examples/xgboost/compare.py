# SPDX-License-Identifier: Apache-2.0
"""Load a model that example.py saved into XGBoost's own Python package: compare.py MODEL

The package (`pip install xgboost-cpu`) has a library of its own, of another version. Both predict the same.
"""

import sys

import numpy as np
import xgb
import xgboost

PREDICT = (
    '{"type": 0, "training": false, "iteration_begin": 0, "iteration_end": 0, "strict_shape": true, '
    '"missing": NaN, "cache_id": 0}'
)
x = np.random.default_rng(0).random((10_000, 4), np.float32)
ours = xgb.Booster()
ours.load_model(sys.argv[1])
theirs = xgboost.Booster(model_file=sys.argv[1])
a, b = ours.predict_in_place(x, PREDICT)[:, 0], theirs.inplace_predict(x)
print(f"{len(x)} predictions, at most {abs(a - b).max():.1e} apart")
assert abs(a - b).max() < 1e-6
