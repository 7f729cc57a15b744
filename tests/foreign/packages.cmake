# SPDX-License-Identifier: Apache-2.0
# The C libraries of libraries.py, as packages of Debian.
# Names are regular expressions, see setup/debian.sh; the last one has those that not every release has.
set(foreign_packages libsndfile1-dev "libsndfile1(t64)?" libflac-dev "libflac[0-9]+(t64)?" libogg-dev libogg0 libvorbis0a
  libvorbisenc2 "libmpg123-0(t64)?" libmp3lame0 libopus-dev libopus0 libnetcdf-dev "libnetcdf[0-9]+(t64)?" libhdf5-dev
  "libhdf5-[0-9-]+(t64)?" "libhdf5-hl-[0-9-]+(t64)?" libsz2 libaec0 libsuitesparse-dev "libumfpack[0-9]+"
  "libcholmod[0-9]+" "libamd[0-9]+" "libcamd[0-9]+" "libcolamd[0-9]+" "libccolamd[0-9]+" "libsuitesparseconfig[0-9]+"
  libmetis5 libblas3 liblapack3 libgfortran5 libquadmath0 libsundials-dev "libsundials-(cvode|nvecserial)[0-9]+"
  "libsundials-(sunmatrix|sunlinsol|sunnonlinsol|generic|nvec.*)[0-9]*" libebur128-dev libebur128-1 libgsl-dev
  "libgsl[0-9]+(t64)?" "libgslcblas[0-9]+" zlib1g-dev zlib1g libsoxr-dev libsoxr0 libgomp1 libsqlite3-dev libsqlite3-0
  libvips-dev libglib2.0-dev libarchive-dev "libarchive13(t64)?" opencl-c-headers libturbojpeg0-dev libturbojpeg0
  liblz4-dev liblz4-1 libzstd-dev libzstd1 libxxhash-dev libxxhash0 libgeos-dev "libgeos-c1(v5|t64)?" "libgeos[0-9.]+(t64)?"
  libwebp-dev "libwebp[0-9]+" "libldl[0-9]+" "libbtf[0-9]+" libnlopt-dev libnlopt0 libgit2-dev "libgit2-[0-9.]+(t64)?" libsamplerate0-dev libsamplerate0
  "libblosc-dev|libmujoco-dev|libmujoco[0-9.]+|libblosc1|libblosc2-dev|libonnxruntime-dev|libwhisper-dev|libllama-dev|libggml-dev|libmbed(tls|crypto)[0-9]+|libmbedx509-[0-9]+|libhttp-parser[0-9.]+|libssh2-1(t64)?|libsnappy1v5|libccd2|libqhull-r8.0|libtinyxml2-[0-9]+|liblodepng[0-9]+|libsharpyuv[0-9]+")
