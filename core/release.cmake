# SPDX-License-Identifier: Apache-2.0
# Write all published files into a folder, in place of an earlier run's.
#
#   cmake -DOUT=FOLDER [-DPYTHON=PROGRAM] [-DCARGO=PROGRAM] [-DGO=PROGRAM] [-DJULIA=PROGRAM] [-DSETUP=FOLDER]
#         [-DALL=ON] [-DTREE=ON] -P core/release.cmake
#
#   OUT/repository   a clone with one commit more, whose tree holds the copies of the core, tagged vV, and bindings/go/vV and
#                    bindings/go/NAME/vV for the Go module and its sub-modules
#   OUT/c            dlferry-V.tar.gz, the C sources
#   OUT/python       the sdist, and the wheel that is built from it (PYTHON has scikit-build-core, swig, auditwheel); on Linux
#                    x86-64 by zig, for glibc 2.17 and later, which set-up keeps below SETUP (else build)
#   OUT/rust         the crates
#   OUT/go           the Go modules, in the layout of a module proxy: GOPROXY=file://OUT/go
#   OUT/julia        DLFerry-V.tar.gz, the Julia package; registry, its entry for a registry of packages
#   OUT/README.md    how to install these files, if all languages are packed
#
# A language whose program is not named is left out; with ALL that is an error. All of it is made of the commit. Files that
# are not committed are refused, except with TREE: then the commit holds the working tree as it is.
cmake_minimum_required(VERSION 3.25)
get_filename_component(source ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
get_filename_component(out ${OUT} ABSOLUTE)
set(repository ${out}/repository)
set(work ${out}/work)
file(STRINGS ${source}/CMakeLists.txt version REGEX "^project\\(dlferry VERSION ")
string(REGEX REPLACE ".*VERSION ([0-9.]+).*" "\\1" version "${version}")
string(REGEX REPLACE "[.][0-9]+$" "" series "${version}")
file(STRINGS ${source}/CMakeLists.txt homepage REGEX "^  HOMEPAGE_URL ")
string(REGEX REPLACE ".*HOMEPAGE_URL \"([^\"]+)\".*" "\\1" homepage "${homepage}")
find_program(git git REQUIRED)
foreach(program IN ITEMS PYTHON CARGO GO JULIA)
  if(ALL AND NOT ${program})
    message(FATAL_ERROR "release: expected ${program}, got none: see the table that configure prints")
  endif()
endforeach()
string(TIMESTAMP started "%s")
foreach(variable IN ITEMS GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE) # which a hook of git sets
  unset(ENV{${variable}})
endforeach()

# Progress: some steps take a minute.
function(said words)
  set(epoch "$ENV{SOURCE_DATE_EPOCH}")
  unset(ENV{SOURCE_DATE_EPOCH}) # which TIMESTAMP obeys
  string(TIMESTAMP now "%s")
  set(ENV{SOURCE_DATE_EPOCH} "${epoch}")
  math(EXPR seconds "${now} - ${started}")
  message(STATUS "release: ${seconds} s: ${words}")
endfunction()

# run([IN folder] [ENV name=value...] COMMAND word...) ends the script, with the command's output, if it fails.
function(run)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "IN" "ENV;COMMAND")
  if(NOT arg_IN)
    set(arg_IN ${repository})
  endif()
  execute_process(COMMAND ${CMAKE_COMMAND} -E env ${arg_ENV} ${arg_COMMAND} WORKING_DIRECTORY ${arg_IN}
    OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE result)
  if(NOT result STREQUAL "0")
    list(JOIN arg_COMMAND " " words)
    message(FATAL_ERROR "release: ${words}: ${result}\n${text}")
  endif()
endfunction()

# Git's answer about the sources; may be empty.
function(ask result)
  execute_process(COMMAND ${git} -C ${source} ${ARGN} OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# set_links(folder place) rewrites links of an archive's pages, whose folder is the repository's PLACE: those to files that
# the archive lacks lead to the repository of this version, as do those to Go's modules in folders of it. With `page`, all
# do, for a page that is shown elsewhere.
function(set_links folder place)
  string(ASCII 1 begin) # in place of "](", since brackets divide CMake's lists
  file(GLOB_RECURSE pages RELATIVE ${folder} ${folder}/*.md)
  foreach(page IN LISTS pages)
    get_filename_component(at "${page}" DIRECTORY)
    file(READ ${folder}/${page} text)
    string(REPLACE "](" "${begin}" text "${text}")
    string(REGEX MATCHALL "${begin}[^]) ;${begin}#:\n]+" links "${text}")
    list(REMOVE_DUPLICATES links)
    foreach(link IN LISTS links)
      string(REPLACE "${begin}" "" target "${link}")
      cmake_path(SET path NORMALIZE "${repository}/${place}/${at}/${target}")
      cmake_path(IS_PREFIX repository "${path}" inside)
      if(NOT inside OR NOT EXISTS ${path})
        continue()
      endif()
      cmake_path(SET here NORMALIZE "${at}/${target}")
      string(REGEX REPLACE "/.*" "" first "${here}")
      set(carried FALSE)
      if(EXISTS ${folder}/${here} AND NOT first STREQUAL ".." AND NOT EXISTS ${folder}/${first}/go.mod)
        set(carried TRUE)
      endif()
      if(carried AND NOT "page" IN_LIST ARGN)
        continue()
      endif()
      cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${repository})
      foreach(end IN ITEMS ")" "#")
        string(REPLACE "${link}${end}" "${begin}${homepage}/blob/v${version}/${path}${end}" text "${text}")
      endforeach()
    endforeach()
    string(REPLACE "${begin}" "](" text "${text}")
    file(WRITE ${folder}/${page} "${text}")
  endforeach()
endfunction()

# ---- The commit ----

ask(top rev-parse --show-toplevel)
file(REAL_PATH ${source} real)
set(history FALSE)
if(top STREQUAL real)
  set(history TRUE)
  ask(changes status --porcelain)
  if(changes AND NOT TREE)
    message(FATAL_ERROR "release: expected a tree without changes, got\n${changes}")
  endif()
  ask(shallow rev-parse --is-shallow-repository)
  ask(date log -1 --format=%cI)
  ask(epoch log -1 --format=%ct)
  if(shallow STREQUAL "true")
    set(history FALSE)
  endif()
elseif(NOT TREE)
  message(FATAL_ERROR "release: expected a git repository, got ${source}")
endif()

said("version ${version} into ${out}")
file(REMOVE_RECURSE ${repository} ${work} ${out}/c ${out}/python ${out}/rust ${out}/go ${out}/julia ${out}/debian
  ${out}/states ${out}/README.md ${out}/SHA256SUMS ${out}/table.txt)
file(MAKE_DIRECTORY ${work})
if(history)
  run(IN ${out} COMMAND ${git} clone --quiet --no-checkout --no-tags ${source} ${repository})
else()
  said("no full history here: the commit has no parent")
  run(IN ${out} COMMAND ${git} init --quiet ${repository})
endif()
set(commit ${git} -c core.hooksPath= -c commit.gpgSign=false -c tag.gpgSign=false)
ask(identity config user.email)
if(NOT identity)
  list(APPEND commit -c user.name=dlferry -c user.email=dlferry@localhost)
endif()
# So that one commit always gives the same files. Programs that make archives obey SOURCE_DATE_EPOCH.
if(NOT date)
  set(date 2000-01-01T00:00:00Z)
  set(epoch 946684800)
endif()
set(ENV{GIT_AUTHOR_DATE} ${date})
set(ENV{GIT_COMMITTER_DATE} ${date})
set(ENV{SOURCE_DATE_EPOCH} ${epoch})
run(IN ${source} COMMAND ${git} --git-dir=${repository}/.git --work-tree=${source} add --all)
run(COMMAND ${git} checkout-index --all --force)
run(COMMAND ${CMAKE_COMMAND} -P core/amalgamate.cmake)
# Go's modules: the main one, and a sub-module in each folder of its own with a go.mod; tests are not published.
file(GLOB submodules RELATIVE ${repository}/bindings/go ${repository}/bindings/go/*/go.mod)
list(REMOVE_ITEM submodules tests/go.mod)
set(modules bindings/go)
foreach(file IN LISTS submodules)
  get_filename_component(name ${file} DIRECTORY)
  list(APPEND modules bindings/go/${name})
endforeach()
foreach(folder IN LISTS modules)
  set_links(${repository}/${folder} ${folder})
endforeach()
run(COMMAND ${git} add --all --force)
run(COMMAND ${commit} commit --quiet --allow-empty -m "dlferry ${version}, with what Go and Julia fetch of the core")
run(COMMAND ${commit} tag -a -m "dlferry ${version}" v${version})
foreach(module IN LISTS modules)
  run(COMMAND ${commit} tag -a -m "dlferry ${version}" ${module}/v${version})
endforeach()
list(JOIN modules "/v${version} " tags)
said("repository: tags v${version} ${tags}/v${version}")

# export(folder TREE [path...]) writes files of the commit.
function(export folder tree)
  file(MAKE_DIRECTORY ${folder})
  run(COMMAND ${git} archive -o ${work}/export.tar ${tree} ${ARGN})
  file(ARCHIVE_EXTRACT INPUT ${work}/export.tar DESTINATION ${folder})
endfunction()

# pack(archive name) makes an archive of the folder NAME in the work folder, by a repository of git: so its bytes depend
# on the files and the commit's date alone, not on owners, the order of a folder, or the time.
function(pack archive name)
  get_filename_component(folder ${archive} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  set(packer ${git} --git-dir=${work}/${name}.git --work-tree=${work}/${name} -c core.autocrlf=false -c core.hooksPath=
    -c commit.gpgSign=false -c tar.umask=022 -c user.name=dlferry -c user.email=dlferry@localhost)
  run(COMMAND ${git} init --quiet --bare ${work}/${name}.git)
  run(IN ${work}/${name} COMMAND ${packer} add --all --force)
  run(COMMAND ${packer} commit --quiet -m ${name})
  run(COMMAND ${packer} archive --format=tar.gz --prefix=${name}/ -o ${archive} HEAD)
  said("${archive}")
endfunction()

# ---- C: what README's commands build, and the hub and the generator as one file each ----

export(${work}/dlferry-${version} HEAD CMakeLists.txt CHANGELOG.md LICENSE README.md core)
run(COMMAND ${CMAKE_COMMAND} -DOUT=${work}/dlferry-${version}/amalgamation -P core/amalgamate.cmake)
set_links(${work}/dlferry-${version} "")
pack(${out}/c/dlferry-${version}.tar.gz dlferry-${version})

# ---- Julia ----

export(${work}/DLFerry-${version} HEAD:bindings/julia)
set_links(${work}/DLFerry-${version} bindings/julia)
pack(${out}/julia/DLFerry-${version}.tar.gz DLFerry-${version})
if(JULIA)
  run(COMMAND ${JULIA} --startup-file=no bindings/julia/registry.jl ${repository} ${out}/julia/registry)
  said("${out}/julia/registry")
endif()

# ---- Rust: packed without a build; tests/packages builds programs that use the crates ----

if(CARGO)
  run(IN ${repository}/bindings/rust COMMAND ${CARGO} package --quiet --locked --no-verify --target-dir ${work}/cargo
    -p dlferry-sys -p dlferry -p dlferry-build)
  foreach(crate IN ITEMS dlferry-sys dlferry dlferry-build)
    file(COPY ${work}/cargo/package/${crate}-${version}.crate DESTINATION ${out}/rust)
    said("${out}/rust/${crate}-${version}.crate")
  endforeach()
endif()

# ---- Go: the proxy has the same files as Go's own fetch by tag ----

if(GO)
  file(STRINGS ${repository}/bindings/go/go.mod module REGEX "^module ")
  string(REPLACE "module " "" module "${module}")
  string(REGEX REPLACE "/bindings/go$" "" at "https://${module}")
  list(TRANSFORM modules REPLACE "^bindings/go" ${module} OUTPUT_VARIABLE paths)
  list(TRANSFORM paths APPEND @v${version})
  run(IN ${work} COMMAND ${GO} mod download ${paths}
    ENV GOPROXY=direct GOSUMDB=off GONOSUMDB= GOPRIVATE= GOWORK=off GOFLAGS=-modcacherw GOMODCACHE=${work}/go
        GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=url.${repository}.insteadOf GIT_CONFIG_VALUE_0=${at})
  get_filename_component(folder ${out}/go/${module} DIRECTORY)
  file(COPY ${work}/go/cache/download/${module} DESTINATION ${folder} PATTERN *.lock EXCLUDE PATTERN *.ziphash EXCLUDE)
  foreach(path IN LISTS paths)
    string(REPLACE "@" "/@v/" path ${path})
    said("${out}/go/${path}.zip")
  endforeach()
endif()

# ---- Python: with SWIG's output in the sdist, so that the wheel is built without SWIG ----

if(PYTHON)
  export(${work}/python HEAD LICENSE bindings/python core)
  set_links(${work}/python/bindings/python bindings/python page)
  set_links(${work}/python/core core page)
  file(MAKE_DIRECTORY ${out}/python)
  run(IN ${work}/python/bindings/python COMMAND ${PYTHON} -B -c
    "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])" ${out}/python)
  set(sdist ${out}/python/dlferry-${version}.tar.gz)
  said("${sdist}")
  said("building the wheel: half a minute")
  cmake_host_system_information(RESULT machine QUERY OS_PLATFORM)
  if("${CMAKE_HOST_SYSTEM_NAME} ${machine}" STREQUAL "Linux x86_64")
    if(NOT SETUP)
      set(SETUP ${source}/build)
    endif()
    run(COMMAND ${PYTHON} -B tests/platforms/wheels.py ${SETUP} ${sdist} ${out}/python manylinux-x86_64)
  else() # of use on this machine alone
    run(COMMAND ${PYTHON} -m pip wheel --quiet --disable-pip-version-check --no-index --no-deps --no-build-isolation
      --wheel-dir ${out}/python ${sdist})
  endif()
  file(GLOB wheel ${out}/python/*.whl)
  said("${wheel}")
endif()
file(REMOVE_RECURSE ${work})

if(PYTHON AND CARGO AND GO AND JULIA)
  get_filename_component(wheel "${wheel}" NAME)
  get_filename_component(module "${module}" DIRECTORY)
  get_filename_component(module "${module}" DIRECTORY)
  set(package ${module}/bindings/go@v${version})
  configure_file(${source}/core/release.md.in ${out}/README.md @ONLY)
  said("${out}/README.md")
endif()
