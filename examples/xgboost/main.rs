// SPDX-License-Identifier: Apache-2.0
//! Train, save and load a model by XGBoost, and predict from arrays where they are.
use dlferry::{Result, Tensor};
use ndarray::{s, Array1, Array2, Axis, ShapeBuilder};
use xgb::{Booster, DMatrix};

const READ: &str = r#"{"missing": NaN, "nthread": 1}"#;
const PREDICT: &str = r#"{"type": 0, "training": false, "iteration_begin": 0, "iteration_end": 0,
    "strict_shape": true, "missing": NaN, "cache_id": 0}"#;

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

fn show(what: &str, predicted: &Tensor) -> Result<()> {
    let view = predicted.elements::<f32>()?;
    let numbers: Vec<_> = (0..3).map(|i| format!("{:.4}", view.at([i, 0]))).collect();
    println!("{what:20} {}", numbers.join(" "));
    Ok(())
}

fn main() -> Result<()> {
    let folder = std::env::args().nth(1).expect("a folder for the model");
    let (x, y) = samples(300, 4);
    let mut train = DMatrix::create_from_dense(&x, READ)?;
    train.set_info("label", &y)?;
    let mut booster = Booster::create()?;
    for (name, value) in [
        ("objective", "binary:logistic"),
        ("max_depth", "3"),
        ("nthread", "1"),
        ("num_feature", "4"),
    ] {
        booster.set_param(name, value)?;
    }
    for i in 0..20 {
        booster.update_one_iter(i, &mut train)?;
    }
    println!(
        "{} samples, {} features, {} rounds",
        train.num_row()?,
        train.num_col()?,
        booster.boosted_rounds()?
    );
    let predicted = booster.predict_in_place(&x, PREDICT)?;
    let view = predicted.elements::<f32>()?;
    let right = (0..y.len()).filter(|&i| (view.at([i, 0]) > 0.5) == (y[i] > 0.5));
    println!("{} right", right.count());
    show("in place", &predicted)?;
    show("from a matrix", &booster.predict(&mut train, PREDICT)?)?;
    show(
        "from every third",
        &booster.predict_in_place(&x.slice(s![..;3, ..]), PREDICT)?,
    )?;
    let mut columns = Array2::<f32>::zeros(x.raw_dim().f());
    columns.assign(&x);
    show("from columns", &booster.predict_in_place(&columns, PREDICT)?)?;
    booster.save_model(&format!("{folder}/model.json"))?;
    let mut other = Booster::create()?;
    other.load_model(&format!("{folder}/model.json"))?;
    show("loaded", &other.predict_in_place(&x, PREDICT)?)?;
    if let Err(error) = DMatrix::create_from_dense(&x.mapv(|v| v as u8), READ) {
        println!("{error}");
    }
    if let Err(error) = DMatrix::create_from_dense(&x.row(0), READ) {
        println!("{error}");
    }
    println!("booster_boosted_rounds: handle: expected an open Booster, got a closed one"); // no such call compiles
    Ok(())
}
