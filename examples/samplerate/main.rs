// SPDX-License-Identifier: Apache-2.0
//! Write a tone as tone.wav, resample it from 44.1 to 48 kHz, write resampled.wav.
use std::path::Path;

use dlferry::{of, of_mut};
use sr::{process, simple, NewOptions, ProcessOptions, SimpleOptions, State};

const RATIO: f64 = 48000.0 / 44100.0;

fn write_wav(path: &Path, rate: u32, samples: &[f32], scale: f32) -> std::io::Result<()> {
    let size = 2 * samples.len() as u32;
    let mut bytes = b"RIFF".to_vec();
    bytes.extend((36 + size).to_le_bytes());
    bytes.extend(b"WAVEfmt \x10\0\0\0\x01\0\x02\0");
    bytes.extend(rate.to_le_bytes());
    bytes.extend((4 * rate).to_le_bytes());
    bytes.extend(b"\x04\0\x10\0data");
    bytes.extend(size.to_le_bytes());
    bytes.extend(
        samples
            .iter()
            .flat_map(|x| ((x * scale).round_ties_even() as i16).to_le_bytes()),
    );
    std::fs::write(path, bytes)
}

fn read_wav(path: &Path) -> std::io::Result<Vec<f32>> {
    let bytes = std::fs::read(path)?;
    Ok(bytes[44..]
        .chunks_exact(2)
        .map(|b| f32::from(i16::from_le_bytes([b[0], b[1]])) / 32768.0)
        .collect())
}

/// Resample blocks as they arrive: a state keeps what it needs of the blocks before.
fn in_parts(state: &mut State, sound: &[f32], blocks: &mut [f32]) -> dlferry::Result<i64> {
    let mut made = 0;
    let last = sound.chunks(2000).len() - 1;
    for (i, block) in sound.chunks(2000).enumerate() {
        let rest = &mut blocks[2 * made as usize..];
        let (frames, room) = (block.len() as i64 / 2, rest.len() as i64 / 2);
        let options = ProcessOptions {
            end_of_input: i32::from(i == last),
        };
        let (used, more) = process(
            state,
            &of(block, [frames, 2])?,
            &mut of_mut(rest, [room, 2])?,
            options,
            RATIO,
        )?;
        assert_eq!(used, frames);
        made += more;
    }
    Ok(made)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("expected a folder")?;
    let folder = Path::new(&folder);
    let wave =
        |frame: u32, hertz: f64| (0.5 * (std::f64::consts::TAU * f64::from(frame) * hertz / 44100.0).sin()) as f32;
    let tone: Vec<f32> = (0..4410)
        .flat_map(|frame| [wave(frame, 440.0), wave(frame, 880.0)])
        .collect();
    write_wav(&folder.join("tone.wav"), 44100, &tone, 32767.0)?;

    let sound = read_wav(&folder.join("tone.wav"))?;
    let input = of(&sound, [sound.len() as i64 / 2, 2])?;
    let mut room = vec![0f32; 10000];
    let made = simple(
        &input,
        &mut of_mut(&mut room, [5000, 2])?,
        RATIO,
        SimpleOptions::default(),
    )?;
    let samples = &room[..2 * made as usize];
    write_wav(&folder.join("resampled.wav"), 48000, samples, 32768.0)?;

    println!("in    {} frames at 44100 Hz", sound.len() / 2);
    println!("out   {} frames at 48000 Hz", made);
    println!(
        "peak  {:.3}",
        samples[400..samples.len() - 400]
            .iter()
            .fold(0f32, |most, x| most.max(x.abs()))
    );
    let mut other = vec![0f32; 10000];
    let mut draft = of_mut(&mut other, [5000, 2])?;
    println!("draft {} frames", simple(&input, &mut draft, 0.5, sr::LINEAR)?);

    let mut state = State::new(NewOptions::default(), 2)?;
    let mut blocks = vec![0f32; 10000];
    let parts = in_parts(&mut state, &sound, &mut blocks)?;
    let far = samples
        .iter()
        .zip(&blocks)
        .map(|(x, y)| (x - y).abs())
        .fold(0f32, f32::max);
    println!("parts {parts} frames, {far:.3} from the whole");

    let (mut mono, narrow) = (vec![0f32; 4410], of(&sound[..4410], [4410, 1])?);
    let mut few = of_mut(&mut mono, [4410, 1])?;
    println!("{}", process(&mut state, &narrow, &mut few, 0, 2.0).unwrap_err());
    println!("{}", simple(&input, &mut draft, 0.0, 0).unwrap_err());
    println!("{}", simple(&input, &mut few, 2.0, 0).unwrap_err());
    println!("{}", State::new(0, 0).unwrap_err());
    Ok(())
}
