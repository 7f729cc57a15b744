# SPDX-License-Identifier: Apache-2.0
"""A shared library of any system exports the public functions, no others, and has its name: library.py LIBRARY VERSION

LIEF reads the formats of Linux, Windows and macOS, so this needs no tools of the system.
"""

import sys
from pathlib import Path

import lief

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lint"))
from files import public_functions


def read_elf(library, version):
    """Its functions, and what is wrong with its names."""
    series = version.rpartition(".")[0]
    tags = lief.ELF.DynamicEntry.TAG
    wrong = []
    name = library.get(tags.SONAME).name if library.has(tags.SONAME) else "none"
    if name != f"libdlferry.so.{series}":
        wrong.append(f"expected the SONAME libdlferry.so.{series}, got {name}")
    versions = {auxiliary.name for entry in library.symbols_version_definition for auxiliary in entry.auxiliary_symbols}
    if f"DLFERRY_{series}" not in versions:
        wrong.append(f"expected the version DLFERRY_{series} of its functions, got {sorted(versions)}")
    absolute = 0xFFF1  # the symbol that is named for the version
    return {symbol.name for symbol in library.exported_symbols if symbol.shndx != absolute}, wrong


def read_pe(library, version):
    expected = tuple(int(number) for number in version.split(".")[:2])
    header = library.optional_header
    got = (header.major_image_version, header.minor_image_version)
    table = library.get_export()
    wrong = []
    if got != expected:
        wrong.append(f"expected the image version {expected}, got {got}")
    if table.name != "libdlferry.dll":
        wrong.append(f"expected the name libdlferry.dll, got {table.name}")
    return {entry.name for entry in table.entries}, wrong


def read_macho(library, version):
    series = version.rpartition(".")[0]
    numbers = [int(number) for number in version.split(".")]
    name = next(command for command in library.commands if command.command == lief.MachO.LoadCommand.TYPE.ID_DYLIB)
    wrong = []
    if name.name != f"@rpath/libdlferry.{series}.dylib":
        wrong.append(f"expected the install name @rpath/libdlferry.{series}.dylib, got {name.name}")
    if name.current_version != numbers:
        wrong.append(f"expected the current version {numbers}, got {name.current_version}")
    # Marks of the linker's, which every library has.
    return {symbol.name[1:] for symbol in library.exported_symbols} - {"_mh_dylib_header", "__dso_handle"}, wrong


READERS = {lief.ELF.Binary: read_elf, lief.PE.Binary: read_pe, lief.MachO.Binary: read_macho}


def main():
    lief.logging.disable()
    path, version = sys.argv[1:]
    library = lief.parse(path)
    shown, wrong = READERS[type(library)](library, version)
    declared = public_functions()
    wrong += [f"declared, but not exported: {name}" for name in sorted(declared - shown)]
    wrong += [f"exported, but not declared in a public header: {name}" for name in sorted(shown - declared)]
    print("\n".join(wrong) or f"ok  {Path(path).name} exports the {len(declared)} public functions alone")
    sys.exit(bool(wrong))


main()
