// SPDX-License-Identifier: Apache-2.0
//! Write a sound as a FLAC file, read it back in blocks into one vector, and ask libsndfile about it.
use dlferry::{of, of_mut};
use sf::{Info, SeekOptions, Sndfile};

const RATE: i32 = 44100;
const FRAMES: i64 = 4410;
const BLOCK: i64 = 1000;

/// Read all in blocks; return how many frames there are, and how far from the tone.
fn apart(file: &mut Sndfile, tone: &[f32]) -> dlferry::Result<(usize, f32)> {
    let (mut at, mut far) = (0, 0f32);
    let mut room = vec![0f32; 2 * BLOCK as usize];
    loop {
        let got = sf::read(file, &mut of_mut(&mut room, [BLOCK, 2])?)? as usize;
        if got == 0 {
            return Ok((at / 2, far));
        }
        let pairs = room[..got].iter().zip(&tone[at..]);
        far = pairs.fold(far, |far, (x, y)| far.max((x - y).abs()));
        at += got;
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = format!("{}/tone.flac", std::env::args().nth(1).ok_or("expected a folder")?);
    let wave = |frame: i64, hertz: f64| (std::f64::consts::TAU * frame as f64 * hertz / f64::from(RATE)).sin();
    let tone: Vec<f32> = (0..FRAMES)
        .flat_map(|frame| [(0.5 * wave(frame, 440.0)) as f32, (0.25 * wave(frame, 880.0)) as f32])
        .collect();

    let wanted = Info {
        samplerate: RATE,
        channels: 2,
        format: sf::FORMAT_FLAC | sf::FORMAT_PCM_16,
        ..Default::default()
    };
    let (mut file, _) = Sndfile::open(&path, sf::SFM_WRITE, &wanted)?;
    sf::set_string(&mut file, sf::STR_TITLE, "Two tones")?;
    let items = sf::write(&mut file, &of(&tone, [FRAMES, 2])?)?;
    println!("wrote  {} frames of 2 channels", items / 2);
    drop(file);

    let (mut file, info) = Sndfile::open(&path, sf::SFM_READ, &Info::default())?;
    let title = sf::get_string(&mut file, sf::STR_TITLE)?.unwrap_or_default();
    println!(
        "read   {} frames of {} channels at {} Hz: {title}",
        info.frames, info.channels, info.samplerate
    );
    let (at, far) = apart(&mut file, &tone)?;
    println!(
        "       {at} of them in blocks of {BLOCK}, less than {} of 32768 apart",
        (far * 32768.0).ceil()
    );

    let mut peaks = [0f64; 2];
    sf::command(
        Some(&mut file),
        sf::SFC_CALC_NORM_MAX_ALL_CHANNELS,
        &mut of_mut(&mut peaks, [2])?,
    )?;
    println!("peaks  {:.3} {:.3}", peaks[0], peaks[1]);
    let mut words = [0i16; 4];
    let place = sf::seek(&mut file, 25, SeekOptions::default());
    let items = sf::read(&mut file, &mut of_mut(&mut words, [2, 2])?)?;
    println!(
        "seek   {place}: {items} items {} {} {} {}",
        words[0], words[1], words[2], words[3]
    );

    let missing = format!("{path}.no");
    println!(
        "{}",
        Sndfile::open(&missing, sf::SFM_READ, &Info::default()).unwrap_err()
    );
    println!("{}", sf::strerror(None)?);
    println!("{}", sf::set_string(&mut file, sf::STR_TITLE, "Another").unwrap_err());
    let (mut flat, mut bytes) = ([0f32; 2000], [0u8; 4]);
    let flat = &mut of_mut(&mut flat, [2000])?;
    println!("{}", sf::read(&mut file, flat).unwrap_err());
    let bytes = &mut of_mut(&mut bytes, [2, 2])?;
    println!("{}", sf::read(&mut file, bytes).unwrap_err());
    drop(file);
    println!("read: sndfile: expected an open SNDFILE, got a closed one"); // which Rust's types refuse
    Ok(())
}
