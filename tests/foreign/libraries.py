# SPDX-License-Identifier: Apache-2.0
"""C libraries whose headers were not written for dlferry-bind, as Debian has them below a folder ROOT."""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Library:
    name: str
    headers: list  # patterns below usr/include
    prefix: str = ""
    links: list = field(default_factory=list)
    folders: list = field(default_factory=list)  # patterns below usr, for -I
    without: tuple = ()  # names of headers that the patterns match and that cannot be read alone
    begin: str = ""  # C that is called first
    include: tuple = ()  # what C includes instead of the headers

    def found(self, root):
        base = root / "usr/include"
        return [path for p in self.headers for path in sorted(base.glob(p)) if path.name not in self.without]

    def flags(self, root):
        folders = [root / "usr/include", *(root / "usr/include").glob("*-linux-gnu*")]
        folders += [path for p in self.folders for path in sorted((root / "usr").glob(p))]
        return [word for folder in folders for word in ("-I", str(folder))]


LIBRARIES = [
    Library("llama", ["llama.h"], "llama_"),
    Library("ggml", ["ggml.h", "ggml-backend.h", "ggml-cpu.h", "gguf.h"], "ggml_"),
    Library("cuvs", ["cuvs/*/*.h", "cuvs/*/*/*.h"], "cuvs"),
    Library("onnxruntime", ["onnxruntime/onnxruntime_c_api.h"], "Ort"),
    Library("lightgbm", ["LightGBM/c_api.h"], "LGBM_"),
    Library("duckdb", ["duckdb.h"], "duckdb_"),
    Library("usearch", ["usearch.h"], "usearch_"),
    Library("whisper", ["whisper.h"], "whisper_"),
    Library("hdf5", ["hdf5/serial/H5*public.h"], "H5", ["hdf5_serial", "hdf5_serial_hl"], ["include/hdf5/serial"],
            without=("H5public.h", "H5FDpublic.h", "H5PLpublic.h", "H5DOpublic.h", "H5LDpublic.h"),
            include=("hdf5.h", "hdf5_hl.h")),
    Library("sndfile", ["sndfile.h"], "sf_", ["sndfile"]),
    Library("blosc2", ["blosc2.h"], "blosc2_"),
    Library("cholmod", ["suitesparse/cholmod.h", "suitesparse/cholmod_*.h"], "cholmod_", ["cholmod"],
            ["include/suitesparse"], without=("cholmod_blas.h", "cholmod_gpu.h", "cholmod_gpu_kernels.h"),
            include=("cholmod.h",)),
    Library("umfpack", ["suitesparse/umfpack.h", "suitesparse/umfpack_*.h"], "umfpack_", ["umfpack"],
            ["include/suitesparse"], without=("umfpack_timer.h", "umfpack_tictoc.h"), include=("umfpack.h",)),
    Library("vips", ["vips/vips.h", "vips/image.h", "vips/header.h", "vips/region.h", "vips/memory.h"], "vips_", [],
            ["include/glib-2.0", "lib/*/glib-2.0/include"]),
    Library("tensorflow", ["tensorflow/c/tf_status.h", "tensorflow/c/tf_buffer.h", "tensorflow/c/tf_datatype.h",
                           "tensorflow/c/c_api.h", "tensorflow/c/tf_tensor.h"], "TF_"),
    Library("archive", ["archive.h", "archive_entry.h"], "archive_", ["archive"]),
    Library("opencl", ["CL/cl.h"], "cl"),
    Library("netcdf", ["netcdf.h", "netcdf_mem.h"], "nc_", ["netcdf"], begin="ncopts = 0;"),
    Library("turbojpeg", ["turbojpeg.h"], "tj", ["turbojpeg"]),
    Library("opus", ["opus/opus_defines.h", "opus/opus.h", "opus/opus_multistream.h"], "opus_", ["opus"],
            ["include/opus"]),
    Library("nlopt", ["nlopt.h"], "nlopt_", ["nlopt"]),
    Library("cvode", ["cvode/cvode.h", "cvode/cvode_ls.h", "nvector/nvector_serial.h", "sundials/sundials_nvector.h",
                      "sunmatrix/sunmatrix_dense.h", "sunlinsol/sunlinsol_dense.h", "sundials/sundials_context.h"],
            "CVode,CV_,N_V,SUN", ["sundials_cvode", "sundials_nvecserial"]),
    Library("mujoco", ["mujoco/mujoco.h"], "mj_,mju_", ["mujoco"]),
    Library("gsl_interp", ["gsl/gsl_errno.h", "gsl/gsl_interp.h", "gsl/gsl_spline.h", "gsl/gsl_fft_*.h",
                           "gsl/gsl_sf_bessel.h", "gsl/gsl_sf_legendre.h", "gsl/gsl_poly.h", "gsl/gsl_fit.h",
                           "gsl/gsl_sort_double.h"],
            "gsl_", ["gsl", "gslcblas"], without=("gsl_fft_complex_float.h",), begin="gsl_set_error_handler_off();"),
    Library("gsl_statistics", ["gsl/gsl_errno.h", "gsl/gsl_statistics_*.h", "gsl/gsl_rng.h", "gsl/gsl_randist.h",
                               "gsl/gsl_histogram.h"],
            "gsl_", ["gsl", "gslcblas"], begin="gsl_set_error_handler_off();"),
    Library("git2", ["git2/*.h"], "git_", ["git2"], without=("stdint.h", "common.h")),
    Library("soxr", ["soxr.h"], "soxr_", ["soxr"]),
    Library("flac", ["FLAC/stream_decoder.h", "FLAC/stream_encoder.h", "FLAC/metadata.h", "FLAC/format.h"], "FLAC__",
            ["FLAC"]),
]  # fmt: skip
# Those of the list above are the ones that were counted first; these were used for guesses beside them.
MORE = [
    Library("zlib", ["zlib.h"], "zlib,Z_", ["z"]),
    Library("sqlite3", ["sqlite3.h"], "sqlite3_", ["sqlite3"]),
    Library("ebur128", ["ebur128.h"], "ebur128_", ["ebur128"]),
    Library("samplerate", ["samplerate.h"], "src_", ["samplerate"]),
    Library("blosc", ["blosc.h"], "blosc_", ["blosc"]),
    Library("ldl", ["suitesparse/ldl.h"], "ldl_", ["ldl"], ["include/suitesparse"]),
    Library("btf", ["suitesparse/btf.h"], "btf_", ["btf"], ["include/suitesparse"]),
    Library("lz4", ["lz4.h", "lz4hc.h", "lz4frame.h"], "LZ4_", ["lz4"]),
    Library("zstd", ["zstd.h"], "ZSTD_", ["zstd"]),
    Library("xxhash", ["xxhash.h"], "XXH", ["xxhash"]),
    Library("geos", ["geos_c.h"], "GEOS", ["geos_c"], begin="initGEOS(0, 0);"),
    Library("webp", ["webp/decode.h"], "WebP", ["webp"]),
    Library(
        "gsl_sort",
        [
            "gsl/gsl_sort_*.h",
            "gsl/gsl_wavelet.h",
            "gsl/gsl_vector_double.h",
            "gsl/gsl_matrix_double.h",
            "gsl/gsl_block_double.h",
            "gsl/gsl_permutation.h",
            "gsl/gsl_histogram2d.h",
            "gsl/gsl_qrng.h",
        ],
        "gsl_",
        ["gsl", "gslcblas"],
        without=("gsl_sort_vector.h", "gsl_sort_vector_double.h"),
        begin="gsl_set_error_handler_off();",
    ),
]


def first_root(library, roots):
    """The first of the folders that has the library's headers, or None."""
    return next((root for root in roots if library.found(root)), None)


def command(library, root):
    """Arguments of dlferry-bind for the headers of a library, or None if Debian has none."""
    headers = library.found(root)
    if not headers:
        return None
    words = [*map(str, headers), "--name", library.name, "--preprocess", *library.flags(root)]
    for name in library.include or [path.relative_to(root / "usr/include") for path in headers]:
        words += ["--include", str(name)]
    return words + (["--prefix", library.prefix] if library.prefix else [])


def root_of(text):
    return Path(text).resolve()
