// SPDX-License-Identifier: Apache-2.0
//! The table of ratios, as Markdown.

use crate::Row;
use std::fmt::Write;

const BEGIN: &str = "<!-- The bench writes this table: cmake --build FOLDER --target bench_rust_readme -->\n";
const END: &str = "<!-- end of the table -->\n";

/// One line for each step.
pub fn text(rows: &[Row]) -> String {
    let mut out = String::from("| nanoseconds | dlferry | dlpk 0.4 | dlpark 0.10 | a slice, ndarray | ratio | aim |\n");
    out.push_str("|---|---|---|---|---|---|---|\n");
    for row in rows {
        let cell = |name: &str| row.of(name).map_or(String::new(), |time| format!("{time:.1}"));
        let own = row.of("dlferry").expect("each row has a step of dlferry's");
        let limit = row.limit.map_or(String::new(), |limit| format!("{limit}"));
        let (dlpk, dlpark, slice) = (cell("dlpk"), cell("dlpark"), cell("slice"));
        let ratio = own / row.other();
        writeln!(
            out,
            "| {} | {own:.1} | {dlpk} | {dlpark} | {slice} | {ratio:.2} | {limit} |",
            row.name
        )
        .expect("a string takes all");
    }
    out
}

/// Replace what is between the marks.
pub fn write(document: &str, table: &str) {
    let old = std::fs::read_to_string(document).expect("the document can be read");
    let (before, rest) = old.split_once(BEGIN).expect("the document has the first mark");
    let (_, after) = rest.split_once(END).expect("the document has the last mark");
    std::fs::write(document, format!("{before}{BEGIN}{table}{END}{after}")).expect("the document can be written");
}
