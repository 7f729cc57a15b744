// SPDX-License-Identifier: Apache-2.0
//! Generate text with llama.cpp on one thread, and read the logits where llama.cpp has them.
use dlferry::{Result, Tensor};
use llama::{Context, ContextGetLogitsIthOptions, ContextParams, Model, ModelParams, Sampler};
use llama::{VocabDetokenizeOptions, VocabTokenizeOptions};

fn context(model: &mut Model) -> Result<Context> {
    let params = ContextParams {
        n_ctx: 128,
        n_threads: 1,
        n_threads_batch: 1,
        ..Default::default()
    };
    Context::new(model, &params)
}

/// The place of the largest logit, read in the memory of the context.
fn best(ctx: &mut Context) -> Result<i32> {
    let logits = ctx.get_logits_ith(ContextGetLogitsIthOptions::default())?;
    let view = logits.elements::<f32>()?;
    let count = logits.shape()[0] as usize;
    let best = (0..count).reduce(|a, b| if view.at([b]) > view.at([a]) { b } else { a });
    Ok(best.expect("logits") as i32)
}

fn spaced(tokens: &[i32]) -> String {
    let texts: Vec<_> = tokens.iter().map(i32::to_string).collect();
    texts.join(" ")
}

fn print_refusal<T>(result: Result<T>) {
    println!("{}", result.err().expect("a refusal"));
}

fn main() -> Result<()> {
    let folder = std::env::args().nth(1).expect("a folder with the model");
    let params = ModelParams {
        use_extra_bufts: false,
        ..Default::default()
    };
    let mut model = Model::load_from_file(&format!("{folder}/model.gguf"), &params)?;
    let vocab = model.get_vocab()?;
    println!(
        "{}: {} parameters, {} tokens, {} layers",
        model.desc()?,
        model.n_params(),
        vocab.n_tokens(),
        model.n_layer()
    );

    let mut room = vec![0i32; 32];
    let count = vocab.tokenize("Once upon a time", &mut room, VocabTokenizeOptions::default())?;
    let prompt = room[..count as usize].to_vec();
    println!("prompt    {}", spaced(&prompt));

    let (mut ctx, mut greedy) = (context(&mut model)?, Sampler::init_greedy()?);
    ctx.decode(&prompt, None)?;
    let mut generated = vec![];
    for _ in 0..16 {
        let token = greedy.sample(&mut ctx, -1)?;
        assert_eq!(best(&mut ctx)?, token);
        generated.push(token);
        ctx.decode(&[token], None)?;
    }
    println!("generated {}", spaced(&generated));
    let removed = VocabDetokenizeOptions {
        remove_special: true,
        ..Default::default()
    };
    println!(
        "as text   {} characters, the prompt again: {}",
        vocab
            .detokenize(&generated, VocabDetokenizeOptions::default())?
            .chars()
            .count(),
        vocab.detokenize(&prompt, removed)?
    );

    let logits = ctx.get_logits_ith(ContextGetLogitsIthOptions::default())?;
    let again = ctx.get_logits_ith(ContextGetLogitsIthOptions::default())?;
    println!(
        "no copy   {}",
        if logits.data() == again.data() { "True" } else { "False" }
    );
    let following = &prompt[prompt.len() - 1..];
    print_refusal(ctx.decode(following, None));
    drop((logits, again));

    let state: Tensor = ctx.state_get_data()?;
    let mut other = context(&mut model)?;
    other.state_set_data(&state)?;
    let mut both = vec![];
    for each in [&mut ctx, &mut other] {
        each.decode(following, None)?;
        both.push(greedy.sample(each, -1)?);
    }
    println!("restored  {}", if both[0] == both[1] { "True" } else { "False" });

    print_refusal(vocab.tokenize("Once upon a time", &mut room[..3], VocabTokenizeOptions::default()));
    print_refusal(ctx.decode(&[-1], None));
    print_refusal(ctx.decode(&prompt.iter().map(|&t| i64::from(t)).collect::<Vec<_>>(), None));
    print_refusal(model.meta_val_str("no such key"));
    print_refusal(Model::load_from_file("no such file", &ModelParams::default()));
    Ok(())
}
