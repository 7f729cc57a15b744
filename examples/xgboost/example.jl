# SPDX-License-Identifier: Apache-2.0
# Train, save and load a model by XGBoost, and predict from arrays where they are.
import Xgb
using Printf

const READ = """{"missing": NaN, "nthread": 1}"""
const PREDICT = """{"type": 0, "training": false, "iteration_begin": 0, "iteration_end": 0, "strict_shape": true,
    "missing": NaN, "cache_id": 0}"""

# Numbers from 0 to 1 of a fixed formula, and a label for each row.
function samples(count, features)
    state = 1
    x = Matrix{Float32}(undef, count, features) # columns, as Julia has them
    for i in 1:count, k in 1:features
        state = (state * 1103515245 + 12345) % 2^31
        x[i, k] = (state >> 15) / 2^16
    end
    x, Float32.(x[:, 1] .+ x[:, 2] .* x[:, 3] .> 0.75)
end

show3(what, p) = @printf "%-20s %.4f %.4f %.4f\n" what p[1, 1] p[2, 1] p[3, 1]

x, y = samples(300, 4)
train = Xgb.d_matrix_create_from_dense(x, READ)
Xgb.d_matrix_set_info(train, "label", y)
booster = Xgb.booster_create()
for (name, value) in ("objective" => "binary:logistic", "max_depth" => "3", "nthread" => "1", "num_feature" => "4")
    Xgb.booster_set_param(booster, name, value)
end
for i in 0:19
    Xgb.booster_update_one_iter(booster, i, train)
end
println(Int(Xgb.d_matrix_num_row(train)), " samples, ", Int(Xgb.d_matrix_num_col(train)), " features, ",
    Xgb.booster_boosted_rounds(booster), " rounds")
predicted = Xgb.booster_predict_in_place(booster, PermutedDimsArray(permutedims(x), (2, 1)), PREDICT)
println(count((predicted[:, 1] .> 0.5) .== (y .> 0.5)), " right")
show3("in place", predicted)
show3("from a matrix", Xgb.booster_predict(booster, train, PREDICT))
show3("from every third", Xgb.booster_predict_in_place(booster, view(x, 1:3:300, :), PREDICT))
show3("from columns", Xgb.booster_predict_in_place(booster, x, PREDICT))
Xgb.booster_save_model(booster, joinpath(ARGS[1], "model.json"))
other = Xgb.booster_create()
Xgb.booster_load_model(other, joinpath(ARGS[1], "model.json"))
show3("loaded", Xgb.booster_predict_in_place(other, x, PREDICT))
close(other)
for wrong in (
    () -> Xgb.d_matrix_create_from_dense(PermutedDimsArray(zeros(UInt8, 4, 300), (2, 1)), READ),
    () -> Xgb.d_matrix_create_from_dense(x[1, :], READ),
    () -> Xgb.booster_boosted_rounds(other),
)
    try
        wrong()
    catch error
        println(error.msg)
    end
end
