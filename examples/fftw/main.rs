// SPDX-License-Identifier: Apache-2.0
//! Transform tensors by FFTW: a plan takes them, lends their elements, and runs again on what they hold then.
use dlferry::{Complex, Tensor};
use fftw::{FftwfPlan, FftwfPlanDft1dOptions, Plan, PlanDft1dOptions, PlanDftC2r1dOptions, PlanDftR2c1dOptions};

fn complex(values: &[f64]) -> Tensor {
    Tensor::from(values.iter().map(|re| Complex::new(*re, 0.0)).collect::<Vec<_>>())
}

/// Show a number, without a negative zero.
fn word(re: f64, im: f64) -> String {
    format!("{}{:+}i", re + 0.0, im + 0.0)
}

fn show(what: &str, plan: &Plan) -> dlferry::Result<()> {
    let values = plan.kept::<Complex<f64>>("out")?;
    let words: Vec<_> = values.iter().map(|z| word(z.re, z.im)).collect();
    println!("{what:9} {}", words.join(" "));
    Ok(())
}

fn plan(x: Tensor, y: Tensor) -> dlferry::Result<Plan> {
    Plan::dft_1d(x, y, PlanDft1dOptions::default())
}

/// Make, use and free plans; return how many were wrong.
fn plans() -> usize {
    let wrong = |_: &usize| {
        let mut plan = plan(complex(&[1.0; 64]), complex(&[0.0; 64])).unwrap();
        fftw::execute(&mut plan);
        let first = plan.kept::<Complex<f64>>("out").unwrap().at([0]);
        first != Complex::new(64.0, 0.0)
    };
    (0..50).filter(wrong).count()
}

fn main() -> dlferry::Result<()> {
    let mut p = plan(complex(&[1.0, 2.0, 3.0, 4.0]), complex(&[0.0; 4]))?;
    fftw::execute(&mut p);
    show("c2c", &p)?;
    p.kept_mut::<Complex<f64>>("in")?[[0]].re = 5.0;
    fftw::execute(&mut p);
    show("changed", &p)?;

    let real = Tensor::from(vec![1.0, 2.0, 3.0, 4.0]);
    let mut forward = Plan::dft_r2c_1d(real, complex(&[0.0; 3]), PlanDftR2c1dOptions::default())?;
    fftw::execute(&mut forward);
    show("r2c", &forward)?;
    let half = Tensor::from(forward.kept::<Complex<f64>>("out")?.to_vec());
    let mut backward = Plan::dft_c2r_1d(half, Tensor::from(vec![0.0; 4]), PlanDftC2r1dOptions::default())?;
    fftw::execute(&mut backward);
    let words: Vec<_> = backward.kept::<f64>("out")?.iter().map(|x| x.to_string()).collect();
    println!("{:9} {}", "c2r", words.join(" "));

    let narrow = |values: [f32; 4]| Tensor::from(values.map(|re| Complex::new(re, 0.0)).to_vec());
    let options = FftwfPlanDft1dOptions::default();
    let mut single = FftwfPlan::dft_1d(narrow([1.0, 2.0, 3.0, 4.0]), narrow([0.0; 4]), options)?;
    fftw::fftwf_execute(&mut single);
    let values = single.kept::<Complex<f32>>("out")?;
    let words: Vec<_> = values.iter().map(|z| word(z.re.into(), z.im.into())).collect();
    println!("{:9} {}", "single", words.join(" "));

    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(plans)).collect();
    let wrong: usize = threads.into_iter().map(|t| t.join().unwrap()).sum();
    println!("threads   200 plans, {wrong} wrong");
    println!("{}", plan(complex(&[0.0; 4]), complex(&[0.0; 3])).unwrap_err());
    println!("{}", plan(Tensor::from(vec![0.0; 4]), complex(&[0.0; 4])).unwrap_err());
    drop(p);
    println!("execute: p: expected an open plan, got a closed one"); // which Rust's types refuse
    Ok(())
}
