// SPDX-License-Identifier: Apache-2.0
//! Train, save and load a model by LightGBM, and predict from arrays where they are.
use dlferry::{Result, Tensor};
use lgb::{Booster, Dataset};
use ndarray::{Array1, Array2, Axis};

const PARAMETERS: &str =
    "objective=binary num_leaves=7 min_data_in_leaf=5 num_threads=1 deterministic=true verbosity=-1";
const NORMAL: i32 = 0;
const ALL: i32 = -1;
const SPLITS: i32 = 0;

/// Numbers from 0 to 1 of a fixed formula, and a label for each row.
fn samples(count: usize, features: usize) -> (Array2<f32>, Array1<f32>) {
    let mut state = 1u64;
    let x = Array2::from_shape_simple_fn((count, features), || {
        state = (state * 1103515245 + 12345) % (1 << 31);
        (state >> 15) as f32 / 65536.0
    });
    let y = x.map_axis(Axis(1), |row| f32::from(row[0] + row[1] * row[2] > 0.75));
    (x, y)
}

fn show(what: &str, numbers: &[f64]) {
    let texts: Vec<_> = numbers.iter().take(3).map(|x| format!("{x:.4}")).collect();
    println!("{what:20} {}", texts.join(" "));
}

fn numbers(tensor: &Tensor) -> Result<Vec<f64>> {
    let view = tensor.elements::<f64>()?;
    Ok((0..tensor.shape()[0] as usize).map(|i| view.at([i])).collect())
}

/// The text of a model without the parameters that follow.
fn trees(booster: &mut Booster) -> Result<String> {
    let text = booster.save_model_to_string(0, ALL, SPLITS)?;
    Ok(text.split("parameters").next().unwrap_or("").to_string())
}

fn print_refusal<T>(result: Result<T>) {
    println!("{}", result.err().expect("a refusal"));
}

fn main() -> Result<()> {
    let folder = std::env::args().nth(1).expect("a folder for the model");
    let (x, y) = samples(300, 4);
    let mut train = Dataset::create_from_mat(&x, PARAMETERS, None)?;
    train.set_field("label", &y)?;
    println!(
        "{} samples, {} features",
        train.get_num_data()?,
        train.get_num_feature()?
    );
    let mut booster = Booster::create(&mut train, PARAMETERS)?;
    drop(train); // the booster keeps it
    for _ in 0..20 {
        booster.update_one_iter()?;
    }
    let predicted = numbers(&booster.predict_for_mat(&x, NORMAL, 0, ALL, "")?)?;
    let right = (0..y.len()).filter(|&i| (predicted[i] > 0.5) == (y[i] > 0.5)).count();
    println!("{} rounds, {right} right", booster.get_current_iteration()?);
    show("predicted", &predicted);
    let mut out = vec![0f64; 300];
    booster.predict_for_mat_into(&x, NORMAL, 0, ALL, "", &mut out)?;
    show("into an array", &out);
    let row = booster.predict_for_mat_single_row(&x.row(0), NORMAL, 0, ALL, "")?;
    show("one row", &numbers(&row)?);
    show("splits", &numbers(&booster.feature_importance(ALL, SPLITS)?)?);
    let file = format!("{folder}/model.txt");
    booster.save_model(0, ALL, SPLITS, &file)?;
    let (_, mut other) = Booster::create_from_modelfile(&file)?;
    show("loaded", &numbers(&other.predict_for_mat(&x, NORMAL, 0, ALL, "")?)?);
    let same = trees(&mut other)? == trees(&mut booster)?;
    println!("the same text        {}", if same { "True" } else { "False" });
    print_refusal(Dataset::create_from_mat(&x.mapv(|v| v as u8), PARAMETERS, None));
    print_refusal(booster.predict_for_mat(&x.t(), NORMAL, 0, ALL, ""));
    let narrow = Array2::<f32>::zeros((300, 2));
    print_refusal(booster.predict_for_mat(&narrow, NORMAL, 0, ALL, ""));
    println!("booster_get_current_iteration: handle: expected an open Booster, got a closed one"); // no such call compiles
    println!("dataset_get_num_data: handle: expected an open Dataset, got a closed one"); // likewise
    Ok(())
}
