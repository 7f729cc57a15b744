// SPDX-License-Identifier: Apache-2.0
//! Search vectors with faiss, and compare what it finds with brute force.
use dlferry::Tensor;
use faiss::{Index, IndexNewOptions, ParameterSpace, RangeSearchResult};
use ndarray::{s, Array2};
use std::collections::HashSet;
use std::fmt::Display;

/// Vectors of eight whole numbers from 0 to 255, the same in every language.
fn vectors(count: usize, mut seed: u64) -> Array2<f32> {
    Array2::from_shape_simple_fn((count, 8), || {
        seed = (seed * 1103515245 + 12345) % (1 << 31);
        (seed >> 16 & 255) as f32
    })
}

fn show<T: Display>(what: &str, numbers: impl IntoIterator<Item = T>) {
    let numbers: Vec<_> = numbers.into_iter().map(|x| x.to_string()).collect();
    println!("{what:23} {}", numbers.join(" "));
}

fn refused<T>(result: dlferry::Result<T>) {
    let text = result.err().expect("a call is refused").to_string();
    println!("{}", text.split(" at ./").next().unwrap_or(""));
}

fn take<T: dlferry::Element + Copy>(t: &Tensor) -> dlferry::Result<Vec<T>> {
    Ok(t.elements::<T>()?.to_vec())
}

fn main() -> dlferry::Result<()> {
    let (base, queries) = (vectors(640, 1), vectors(4, 2));
    let squares: Vec<Vec<f32>> = queries
        .rows()
        .into_iter()
        .map(|q| {
            base.rows()
                .into_iter()
                .map(|b| (&q - &b).mapv(|d| d * d).sum())
                .collect()
        })
        .collect();
    let nearest: Vec<Vec<i64>> = squares
        .iter()
        .map(|row| {
            let mut order: Vec<i64> = (0..row.len() as i64).collect();
            order.sort_by(|a, b| row[*a as usize].total_cmp(&row[*b as usize]));
            order[..3].to_vec()
        })
        .collect();
    let differ = |labels: &[i64]| labels.iter().zip(nearest.concat()).filter(|(a, b)| **a != *b).count();

    let mut index = Index::new(8, "Flat", IndexNewOptions::default())?;
    index.add(&base)?;
    show("vectors, numbers", [index.ntotal(), index.d().into()]);
    let (distances, labels) = index.search(&queries, 3)?;
    let (distances, labels) = (take::<f32>(&distances)?, take::<i64>(&labels)?);
    for row in labels.chunks(3) {
        show("nearest", row);
    }
    show("wrong labels", [differ(&labels)]);
    let found = distances.iter().enumerate();
    let wrong = found
        .filter(|(i, d)| **d != squares[i / 3][nearest[i / 3][i % 3] as usize])
        .count();
    show("wrong distances", [wrong]);

    let (lims, labels, _) = RangeSearchResult::from_search(&index, &queries, 25000.0)?.all()?;
    let (lims, labels) = (take::<u64>(&lims.copy()?)?, take::<i64>(&labels.copy()?)?); // they are faiss's memory
    show("within 25000, limits", &lims);
    let wrong = squares.iter().zip(lims.windows(2)).filter(|(row, lims)| {
        let near = (0..row.len()).filter(|j| row[*j] < 25000.0).map(|j| j as i64);
        labels[lims[0] as usize..lims[1] as usize]
            .iter()
            .copied()
            .collect::<HashSet<_>>()
            != near.collect()
    });
    show("wrong rows", [wrong.count()]);

    let mut ivf = Index::new(8, "IVF16,Flat", IndexNewOptions::default())?;
    refused(ivf.search(&queries, 3));
    refused(ivf.add(&base));
    ivf.train(&base)?;
    show("trained", [ivf.is_trained()]);
    ivf.add(&base)?;
    let space = ParameterSpace::new()?;
    for lists in [1, 16] {
        space.set_index_parameter(&mut ivf, "nprobe", lists.into())?;
        let labels = take::<i64>(&ivf.search(&queries, 3)?.1)?;
        let hits: usize = labels
            .chunks(3)
            .zip(&nearest)
            .map(|(a, b)| a.iter().filter(|x| b.contains(x)).count())
            .sum();
        show(
            &format!("found in {lists} of 16 lists"),
            [if hits == 12 { "all" } else { "some" }],
        );
    }

    let file = std::path::Path::new(&std::env::args().nth(1).expect("a folder")).join("index");
    index.write(file.to_str().expect("a path in UTF-8"))?;
    let read = Index::read(file.to_str().expect("a path in UTF-8"))?;
    show("read from a file", [read.ntotal()]);
    show("wrong labels", [differ(&take::<i64>(&read.search(&queries, 3)?.1)?)]);

    refused(index.search(&base.slice(s![.., ..7]).to_owned(), 3));
    refused(index.search(&queries, 0));
    refused(index.search(&queries.mapv(f64::from), 3));
    Ok(())
}
