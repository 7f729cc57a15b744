# SPDX-License-Identifier: Apache-2.0
# Train, save and load a model by LightGBM, and predict from arrays where they are.
import Lgb
using Printf

const PARAMETERS = "objective=binary num_leaves=7 min_data_in_leaf=5 num_threads=1 deterministic=true verbosity=-1"
const NORMAL, ALL, SPLITS = 0, -1, 0

# Numbers from 0 to 1 of a fixed formula, row by row, and a label for each row.
function samples(count, features)
    state = 1
    x = Matrix{Float32}(undef, features, count)
    for i in eachindex(x)
        state = (state * 1103515245 + 12345) % 2^31
        x[i] = (state >> 15) / 2^16
    end
    x, Float32.(x[1, :] .+ x[2, :] .* x[3, :] .> 0.75)
end

function show3(what, numbers)
    @printf "%-20s" what
    foreach(number -> @printf(" %.4f", number), numbers[1:min(3, end)])
    println()
end

columns, y = samples(300, 4)
x = columns' # rows without gaps
train = Lgb.dataset_create_from_mat(x, PARAMETERS)
Lgb.dataset_set_field(train, "label", y)
println(Lgb.dataset_get_num_data(train), " samples, ", Lgb.dataset_get_num_feature(train), " features")
booster = Lgb.booster_create(train, PARAMETERS)
close(train) # the booster keeps it
for _ in 1:20
    Lgb.booster_update_one_iter(booster)
end
predicted = Lgb.booster_predict_for_mat(booster, x, NORMAL, 0, ALL, "")
println(Lgb.booster_get_current_iteration(booster), " rounds, ", count((predicted .> 0.5) .== (y .> 0.5)), " right")
show3("predicted", predicted)
out = zeros(300)
Lgb.booster_predict_for_mat!(out, booster, x, NORMAL, 0, ALL, "")
show3("into an array", out)
show3("one row", Lgb.booster_predict_for_mat_single_row(booster, x[1, :], NORMAL, 0, ALL, ""))
show3("splits", Lgb.booster_feature_importance(booster, ALL, SPLITS))
file = joinpath(ARGS[1], "model.txt")
Lgb.booster_save_model(booster, 0, ALL, SPLITS, file)
_, other = Lgb.booster_create_from_modelfile(file)
show3("loaded", Lgb.booster_predict_for_mat(other, x, NORMAL, 0, ALL, ""))
trees(model) = split(Lgb.booster_save_model_to_string(model, 0, ALL, SPLITS), "parameters")[1]
println("the same text        ", trees(other) == trees(booster) ? "True" : "False")
close(other)
for wrong in (
    () -> Lgb.dataset_create_from_mat(zeros(UInt8, 4, 300)', PARAMETERS),
    () -> Lgb.booster_predict_for_mat(booster, columns, NORMAL, 0, ALL, ""),
    () -> Lgb.booster_predict_for_mat(booster, zeros(Float32, 2, 300)', NORMAL, 0, ALL, ""),
    () -> Lgb.booster_get_current_iteration(other),
    () -> Lgb.dataset_get_num_data(train),
)
    try
        wrong()
    catch error
        println(error.msg)
    end
end
