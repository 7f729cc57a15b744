# SPDX-License-Identifier: Apache-2.0
"""Train, save and load a model by LightGBM, and predict from arrays where they are."""

import sys

import lgb
import numpy as np

PARAMETERS = "objective=binary num_leaves=7 min_data_in_leaf=5 num_threads=1 deterministic=true verbosity=-1"
NORMAL, ALL, SPLITS = 0, -1, 0


def samples(count, features):
    """Numbers from 0 to 1 of a fixed formula, and a label for each row."""
    state, numbers = 1, np.empty(count * features, np.float32)
    for i in range(numbers.size):
        state = (state * 1103515245 + 12345) % 2**31
        numbers[i] = state >> 15
    x = (numbers / 2**16).reshape(count, features)
    return x, (x[:, 0] + x[:, 1] * x[:, 2] > 0.75).astype(np.float32)


def show(what, numbers):
    print(f"{what:20} {' '.join(f'{x:.4f}' for x in numbers[:3])}")


x, y = samples(300, 4)
train = lgb.Dataset.create_from_mat(x, PARAMETERS)
train.set_field("label", y)
print(f"{train.get_num_data()} samples, {train.get_num_feature()} features")
booster = lgb.Booster(train, PARAMETERS)
train.close()  # the booster keeps it
for _ in range(20):
    booster.update_one_iter()
predicted = booster.predict_for_mat(x, NORMAL, 0, ALL, "")
print(f"{booster.get_current_iteration()} rounds, {int(((predicted > 0.5) == y).sum())} right")
show("predicted", predicted)
show("into an array", (lambda out: out[: booster.predict_for_mat(x, NORMAL, 0, ALL, "", out)])(np.empty(300)))
show("one row", booster.predict_for_mat_single_row(x[0], NORMAL, 0, ALL, ""))
show("splits", booster.feature_importance(ALL, SPLITS))
booster.save_model(0, ALL, SPLITS, f"{sys.argv[1]}/model.txt")
other = lgb.Booster.create_from_modelfile(f"{sys.argv[1]}/model.txt").out
show("loaded", other.predict_for_mat(x, NORMAL, 0, ALL, ""))
same = other.save_model_to_string(0, ALL, SPLITS).split("parameters")[0]
print("the same text       ", same == booster.save_model_to_string(0, ALL, SPLITS).split("parameters")[0])
other.close()
for wrong in (
    lambda: lgb.Dataset.create_from_mat(x.astype(np.uint8), PARAMETERS),
    lambda: booster.predict_for_mat(x.T, NORMAL, 0, ALL, ""),
    lambda: booster.predict_for_mat(x[:, :2].copy(), NORMAL, 0, ALL, ""),
    lambda: other.get_current_iteration(),
    lambda: train.get_num_data(),
):
    try:
        wrong()
    except Exception as error:
        print(error)
