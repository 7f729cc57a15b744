# SPDX-License-Identifier: Apache-2.0
"""Train, save and load a model by XGBoost, and predict from arrays where they are."""

import sys

import numpy as np
import xgb

READ = '{"missing": NaN, "nthread": 1}'
PREDICT = (
    '{"type": 0, "training": false, "iteration_begin": 0, "iteration_end": 0, "strict_shape": true, '
    '"missing": NaN, "cache_id": 0}'
)


def samples(count, features):
    """Numbers from 0 to 1 of a fixed formula, and a label for each row."""
    state, numbers = 1, np.empty(count * features, np.float32)
    for i in range(numbers.size):
        state = (state * 1103515245 + 12345) % 2**31
        numbers[i] = state >> 15
    x = (numbers / 2**16).reshape(count, features)
    return x, (x[:, 0] + x[:, 1] * x[:, 2] > 0.75).astype(np.float32)


def show(what, numbers):
    print(f"{what:20} {' '.join(f'{x:.4f}' for x in np.ravel(numbers))}")


x, y = samples(300, 4)
train = xgb.DMatrix(x, READ)
train.set_info("label", y)
booster = xgb.Booster()
for name, value in (("objective", "binary:logistic"), ("max_depth", "3"), ("nthread", "1"), ("num_feature", "4")):
    booster.set_param(name, value)
for i in range(20):
    booster.update_one_iter(i, train)
print(f"{train.num_row()} samples, {train.num_col()} features, {booster.boosted_rounds()} rounds")
predicted = booster.predict_in_place(x, PREDICT)
print(f"{int(((predicted[:, 0] > 0.5) == y).sum())} right")
show("in place", predicted[:3])
show("from a matrix", booster.predict(train, PREDICT)[:3])
show("from every third", booster.predict_in_place(x[::3], PREDICT)[:3])
show("from columns", booster.predict_in_place(np.asfortranarray(x), PREDICT)[:3])
booster.save_model(f"{sys.argv[1]}/model.json")
with xgb.Booster() as other:
    other.load_model(f"{sys.argv[1]}/model.json")
    show("loaded", other.predict_in_place(x, PREDICT)[:3])
for wrong in (
    lambda: xgb.DMatrix(x.astype(np.uint8), READ),
    lambda: xgb.DMatrix(x[0], READ),
    lambda: other.boosted_rounds(),
):
    try:
        wrong()
    except (ValueError, TypeError) as error:
        print(error)
