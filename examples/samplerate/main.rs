// SPDX-License-Identifier: Apache-2.0
//! Write a tone as tone.wav, resample it from 44.1 to 48 kHz, write resampled.wav.
use std::path::Path;

use dlferry::of;
use sr::{resample, ResampleOptions};

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
    let resampled = resample(&input, 48000.0 / 44100.0, ResampleOptions::default())?;
    let elements = resampled.elements::<f32>()?;
    let samples = elements.as_slice()?;
    write_wav(&folder.join("resampled.wav"), 48000, samples, 32768.0)?;

    println!("in    {} frames at 44100 Hz", sound.len() / 2);
    println!("out   {} frames at 48000 Hz", resampled.shape()[0]);
    println!(
        "peak  {:.3}",
        samples[400..samples.len() - 400]
            .iter()
            .fold(0f32, |most, x| most.max(x.abs()))
    );
    let draft = resample(&input, 0.5, ResampleOptions { converter: sr::LINEAR })?;
    println!("draft {} frames", draft.shape()[0]);
    if let Err(error) = resample(&input, 0.0, ResampleOptions::default()) {
        println!("{error}");
    }
    Ok(())
}
