// SPDX-License-Identifier: Apache-2.0
#![doc = include_str!("../README.md")]

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The bindings of one header, or of several: methods set the options, [`build`](Self::build) makes them.
#[derive(Clone, Debug)]
#[must_use = "nothing happens before build() or write()"]
pub struct Bindings {
    headers: Vec<PathBuf>,
    contracts: Option<PathBuf>,
    package_file: Option<PathBuf>,
    include_names: Vec<String>,
    definitions: Vec<String>,
    preprocess: bool,
    name: Option<String>,
    prefix: Option<String>,
    sources: Vec<PathBuf>,
    includes: Vec<PathBuf>,
    ignored: Vec<String>,
    flags: Vec<String>,
    links: Vec<String>,
    strict: bool,
}

/// Why nothing was generated: the text of `dlferry-bind`, such as
/// ``dlferry-bind: kernels.h:3: cannot read `@contract` of k_f: ...``.
#[derive(Clone)]
pub struct Error(String);

/// The text itself, since a build script that returns an error shows this.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl Bindings {
    /// Generate from this header; all paths are relative to the crate.
    pub fn new(header: impl Into<PathBuf>) -> Self {
        Bindings {
            headers: vec![header.into()],
            contracts: None,
            package_file: None,
            include_names: Vec::new(),
            definitions: Vec::new(),
            preprocess: false,
            name: None,
            prefix: None,
            sources: Vec::new(),
            includes: Vec::new(),
            ignored: Vec::new(),
            flags: Vec::new(),
            links: Vec::new(),
            strict: false,
        }
    }

    /// Read this header too, after the others: the module gets a submodule for each. May be called again.
    pub fn header(mut self, header: impl Into<PathBuf>) -> Self {
        self.headers.push(header.into());
        self
    }

    /// Read the contracts of the headers' functions from this file; the headers stay as they are.
    pub fn contracts(mut self, file: impl Into<PathBuf>) -> Self {
        self.contracts = Some(file.into());
        self
    }

    /// Let the generated C include this name, such as `fftw3.h`, instead of the headers; may be called again.
    pub fn include_name(mut self, name: impl Into<String>) -> Self {
        self.include_names.push(name.into());
        self
    }

    /// Read the headers after the C preprocessor, which `CC` names: for declarations and types that come from macros
    /// and included files. It searches the folders of [`include`](Self::include).
    pub fn preprocess(mut self, preprocess: bool) -> Self {
        self.preprocess = preprocess;
        self
    }

    /// Define a macro, `NAME` or `NAME=VALUE`, for the preprocessor and for the C files; may be called again.
    pub fn define(mut self, definition: impl Into<String>) -> Self {
        self.definitions.push(definition.into());
        self
    }

    /// Take version, license, authors and homepage of the crate that [`write`](Self::write) makes from this file.
    pub fn package_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.package_file = Some(file.into());
        self
    }

    /// Name the module; the default is the first header's name without `.h`.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Strip this prefix from functions, enums and their values; the default is the name and `_`.
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = Some(prefix.into());
        self
    }

    /// Compile this C file too; may be called again. Without any, link the library yourself.
    pub fn source(mut self, source: impl Into<PathBuf>) -> Self {
        self.sources.push(source.into());
        self
    }

    /// Search here for headers of the C files; the headers' own folders and `dlferry.h` need no entry.
    pub fn include(mut self, folder: impl Into<PathBuf>) -> Self {
        self.includes.push(folder.into());
        self
    }

    /// Treat a macro as empty, such as an export macro.
    pub fn ignore_macro(mut self, name: impl Into<String>) -> Self {
        self.ignored.push(name.into());
        self
    }

    /// Compile with this flag, such as `-fopenmp` or `-DKERNELS_FAST`; may be called again.
    pub fn flag(mut self, flag: impl Into<String>) -> Self {
        self.flags.push(flag.into());
        self
    }

    /// Link this library for the C files, such as `fftw3`; may be called again. A library in a folder that the linker
    /// does not search, and any `static=fftw3`, also needs a `cargo::rustc-link-search=FOLDER` from the build script.
    pub fn link(mut self, library: impl Into<String>) -> Self {
        self.links.push(library.into());
        self
    }

    /// Fail if a function cannot be bound, instead of skipping it with a warning.
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    fn module(&self) -> String {
        let stem = self.headers[0]
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned());
        self.name.clone().or(stem).unwrap_or_default()
    }

    /// Write the checked C and a Rust crate below a folder, without tests; compile nothing and return the path of its
    /// `lib.rs`.
    ///
    /// # Errors
    /// The errors of `dlferry-bind`, with its text.
    pub fn write(&self, folder: impl AsRef<Path>) -> Result<PathBuf, Error> {
        let mut command = Command::new(program());
        command
            .args(&self.headers)
            .args(["--lang", "rust", "--no-tests", "--name", &self.module()]);
        command.arg("--out").arg(folder.as_ref());
        if let Some(prefix) = &self.prefix {
            command.args(["--prefix", prefix]);
        }
        for source in &self.sources {
            command.arg("--source").arg(source);
        }
        for name in &self.ignored {
            command.args(["--ignore-macro", name]);
        }
        for (option, file) in [("--contracts", &self.contracts), ("--package-file", &self.package_file)] {
            if let Some(file) = file {
                command.arg(option).arg(file);
            }
        }
        for name in &self.include_names {
            command.args(["--include", name]);
        }
        if self.preprocess {
            command.arg("--preprocess").arg("-I").arg(include());
            for folder in &self.includes {
                command.arg("-I").arg(folder);
            }
            for definition in &self.definitions {
                command.args(["-D", definition]);
            }
        }
        if self.strict {
            command.arg("--strict");
        }
        let output = command
            .output()
            .map_err(|reason| Error(format!("{}: {reason}", program().display())))?;
        let message = String::from_utf8_lossy(&output.stderr).trim_end().to_string();
        if !output.status.success() {
            return Err(Error(if message.is_empty() {
                format!("dlferry-bind: {}", output.status)
            } else {
                message
            }));
        }
        message.lines().for_each(|line| println!("cargo::warning={line}"));
        Ok(folder.as_ref().join("rust/src/lib.rs"))
    }

    /// Generate and compile, from a build script. Include the module afterwards:
    ///
    /// ```text
    /// include!(concat!(env!("OUT_DIR"), "/NAME.rs"));
    /// ```
    ///
    /// # Errors
    /// The errors of `dlferry-bind`, with its text. C that does not compile ends the build script, like `cc`.
    pub fn build(&self) -> Result<(), Error> {
        self.watch();
        let variable =
            |name| std::env::var_os(name).ok_or_else(|| Error(format!("{name} is not set: call this in build.rs")));
        let (out, name) = (PathBuf::from(variable("OUT_DIR")?), self.module());
        let folder = out.join(format!("{name}-dlferry"));
        let module = self.write(&folder)?;
        // A module in its own file, since include! refuses the attributes that a module begins with.
        let text = format!("#[allow({LINTS_OF_AUTHORS})]\n#[path = {module:?}]\npub mod {name};\n");
        write_if_changed(&out.join(format!("{name}.rs")), &text)?;

        let mut c = cc::Build::new();
        c.std("c11")
            .warnings(false)
            .include(include())
            .include(&folder)
            .includes(&self.includes);
        if self.include_names.is_empty() {
            c.includes(self.headers.iter().filter_map(|header| header.parent()));
        }
        for definition in &self.definitions {
            let (name, value) = definition.split_once('=').unwrap_or((definition, "1"));
            c.define(name, value);
        }
        c.file(folder.join(format!("{name}_dlferry.c")));
        c.files(
            self.sources
                .iter()
                .filter(|source| source.extension().is_some_and(|e| e == "c")),
        );
        for flag in &self.flags {
            c.flag(flag);
        }
        c.compile(&format!("{name}_dlferry"));
        for library in &self.links {
            println!("cargo::rustc-link-lib={library}"); // after its callers, for static linking
        }
        Ok(())
    }

    /// Rerun cargo when a file changes, or a header beside one of the crate's: C files may include headers that no
    /// option names.
    fn watch(&self) {
        let sidecars = || self.contracts.iter().chain(&self.package_file);
        let files = || self.sources.iter().chain(&self.headers).chain(sidecars());
        files().for_each(|path| println!("cargo::rerun-if-changed={}", path.display()));
        let own = self.includes.iter().filter(|folder| folder.is_relative());
        let relative = files().filter(|path| path.is_relative());
        let mut folders: Vec<&Path> = relative.filter_map(|path| path.parent()).collect();
        folders.extend(own.map(PathBuf::as_path));
        folders.sort_unstable();
        folders.dedup();
        for folder in folders {
            let entries = Path::new(".").join(folder).read_dir().into_iter().flatten().flatten();
            let headers = entries.map(|entry| folder.join(entry.file_name()));
            for header in headers.filter(|path| path.extension().is_some_and(|e| e == "h")) {
                println!("cargo::rerun-if-changed={}", header.display());
            }
        }
    }
}

/// The generator itself, for what this crate has no method for.
#[must_use]
pub fn program() -> &'static Path {
    Path::new(env!("DLFERRY_BIND_PROGRAM"))
}

/// The folder of `dlferry.h` and `dlpack/dlpack.h`.
#[must_use]
pub fn include() -> &'static Path {
    Path::new(env!("DLFERRY_BIND_INCLUDE"))
}

/// Lints for hand-written crates that do not apply to a generated module.
const LINTS_OF_AUTHORS: &str =
    "unsafe_code, unreachable_pub, unused_qualifications, unused_results, unused_lifetimes, \
    single_use_lifetimes, elided_lifetimes_in_paths, missing_debug_implementations, missing_copy_implementations, \
    trivial_casts, trivial_numeric_casts, let_underscore_drop, clippy::all, clippy::pedantic, clippy::nursery, \
    clippy::restriction";

fn write_if_changed(path: &Path, text: &str) -> Result<(), Error> {
    if std::fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    std::fs::write(path, text).map_err(|reason| Error(format!("{}: {reason}", path.display())))
}
