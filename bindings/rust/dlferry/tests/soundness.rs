// SPDX-License-Identifier: Apache-2.0
//! The soundness page names every file with unsafe code.

use std::fs;
use std::path::{Path, PathBuf};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "reads files")]
fn the_page_names_each_file_with_unsafe_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/soundness.md")).unwrap();
    let mut found = Vec::new();
    files(&root.join("src"), &mut found);
    let has_unsafe = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        let mut code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        code.any(|line| line.contains("unsafe {") || line.contains("unsafe impl") || line.contains("unsafe fn"))
    };
    let mut with = 0;
    for path in found
        .iter()
        .filter(|path| has_unsafe(path) && !path.ends_with("tests.rs"))
    {
        let name = path.strip_prefix(root.join("src")).unwrap().to_str().unwrap();
        let name = name.replace('\\', "/"); // as on the page, also on Windows
        assert!(
            page.contains(&format!("`{name}`")),
            "{name} has unsafe code and is not on the page"
        );
        with += 1;
    }
    assert!(with > 20);
}
