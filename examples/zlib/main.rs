// SPDX-License-Identifier: Apache-2.0
//! Compress bytes with zlib's own functions, get them back, and read zlib's refusals.
use dlferry::of;
use zl::{adler32, compress, crc32, gzread, gzwrite, uncompress};
use zl::{Adler32Options, CompressOptions, Crc32Options, GzFile};

/// Write bytes in four parts into a gzip file, and return them as they are read, 30000 at a time.
fn through_file(path: &str, data: &[u8]) -> dlferry::Result<Vec<u8>> {
    let mut file = GzFile::gzopen(path, "wb")?;
    for part in data.chunks(data.len() / 4) {
        gzwrite(&mut file, part)?;
    }
    drop(file);
    let mut file = GzFile::gzopen(path, "rb")?;
    let (mut back, mut part) = (Vec::new(), vec![0u8; 30_000]);
    loop {
        let more = gzread(&mut file, &mut part)? as usize;
        if more == 0 {
            return Ok(back);
        }
        back.extend(&part[..more]);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let data: Vec<u8> = (0..100_000).map(|i| (i % 251) as u8).collect();
    let packed = compress(&data, CompressOptions::default())?;
    println!(
        "packed   {} bytes into less than {} thousand",
        data.len(),
        packed.shape()[0] / 1000 + 1
    );

    let mut room = vec![0u8; 200_000];
    let size = uncompress(&mut room, &packed)? as usize;
    let crc = |bytes: &[u8]| crc32(Crc32Options::default(), bytes);
    println!(
        "unpacked {size} bytes, crc32 {:08x}, before {:08x}",
        crc(&room[..size])?,
        crc(&data)?
    );
    let start = adler32(Adler32Options::default(), &data[..500])?;
    let parts = adler32(Adler32Options { adler: start }, &data[500..])?;
    println!("in parts {parts}, whole {}", adler32(Adler32Options::default(), &data)?);

    let path = format!("{}/data.gz", std::env::args().nth(1).ok_or("expected a folder")?);
    let back = through_file(&path, &data)?;
    println!(
        "file     4 parts of {} bytes, read {}, {} wrong",
        data.len() / 4,
        back.len(),
        i32::from(back != data)
    );

    println!("{}", uncompress(&mut room[..9], &packed).unwrap_err());
    println!("{}", uncompress(&mut room, &data).unwrap_err());
    println!(
        "{}",
        compress(
            &data,
            CompressOptions {
                level: zl::BEST_COMPRESSION + 1
            }
        )
        .unwrap_err()
    );
    println!(
        "{}",
        compress(&of(&[0f64; 3], [3])?, CompressOptions::default()).unwrap_err()
    );
    println!("{}", GzFile::gzopen(&format!("{path}.no"), "rb").unwrap_err());
    Ok(())
}
