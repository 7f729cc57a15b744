# SPDX-License-Identifier: Apache-2.0
"""Write null_calls.inc: a call of every function of the public headers with NULL for each of its pointers in turn.

python null.py OUT HEADER...

The header states the rule. A parameter may be NULL if a sentence of its function's comment names it and says so. An
unknown type is an error, so that no function is forgotten.
"""

import re
import sys
from pathlib import Path

# A parameter's argument, by function and name, by name and type, or by type; each call gets new ones.
FOR_FUNCTION = {
    ("dlf_device_parse", "name"): '"cpu"',
    ("dlf_npy_open", "path"): "path",
    ("dlf_npy_save", "path"): "path",
    ("dlf_oneapi_enable", "library"): "DPCTL_STAND_IN",
    ("dlf_contract_compile", "text"): '"x: f32[a, b]"',
    ("dlf_wrap", "owned"): "NULL",
    ("dlf_wrap", "data"): "memory",
    ("dlf_wrap_small", "owned"): "numbers",
    ("dlf_wrap_small", "size"): "8",
    ("dlf_wrap_queued", "data"): "memory",
    ("dlf_exchange_import", "object"): "tensor",
    ("dlf_exchange_borrow", "object"): "tensor",
    ("dlf_into_dlpack", "owned"): "take_handle()",
    ("dlf_read", "index"): "origin",
    ("dlf_python_enable", "library"): "NULL",
    ("dlf_to_python", "like"): "NULL",
    ("dlf_exchange_find", "table"): "dlf_exchange_api()",
}
FOR_TYPE = {
    "dlf_error *": "&error",
    "const char *": '"float32"',
    "char *": "text",
    "const DLTensor *": "&plain",
    "dlf_tensor *": "tensor",
    "const dlf_tensor *": "tensor",
    "dlf_arg": "((dlf_arg){&plain, 0})",
    "DLManagedTensorVersioned *": "take_managed()",
    "DLManagedTensor *": "take_legacy()",
    "const DLManagedTensorVersioned *": "&described",
    "dlf_contract *": "contract",
    "dlf_tensor **": "&given.tensor",
    "DLManagedTensorVersioned **": "&given.managed",
    "DLManagedTensor **": "&given.legacy",
    "dlf_queue **": "&given.queue",
    "dlf_object **": "&given.object",
    "dlf_contract **": "&given.contract",
    "const DLPackExchangeAPI **": "&given.api",
    "void **": "given.pointers",
    "int64_t *": "numbers",
    "bool *": "&truth",
    "double *": "&real",
    "uint64_t *": "&bits",
    "float *": "&number",
    "DLDataType *": "&dtype",
    "DLDevice *": "&device",
    "DLTensor *": "&shown",
    "dlf_elements *": "&elements",
    "dlf_prototype *": "&prototype",
    "const dlf_prototype *": "&wanted",
    "const int64_t *": "extents",
    "const void *": "memory",
    "void *": "memory",
    "const dlf_window *": "&window",
    "const dlf_index_item *": "&first",
    "dlf_number *": "&read_number",
    "const dlf_number *": "&sought",
    "const dlf_allocator *": "&allocator",
    "const dlf_backend *": "&backend",
    "const dlf_export_options *": "NULL",
    "const dlf_import_options *": "NULL",
    "dlf_queue *": "queue",
    "const dlf_queue *": "queue",
    "dlf_object *": "object",
    "const dlf_object *": "object",
    "dlf_use *": "&use",
    "const dlf_use *": "&use",
    "dlf_deferred *": "&deferred",
    "const DLPackExchangeAPI *": "dlf_exchange_api()",
    "const dlf_contract *": "contract",
    "const dlf_value *": "arguments",
    "const dlf_parameter *": "parameters",
    "void (*)(void *)": "nothing",
    "bool (*)(void *)": "refuse",
    # by value
    "int32_t": "2",
    "int64_t": "1",
    "uint32_t": "0",
    "uint64_t": "0",
    "double": "1",
    "bool": "false",
    "DLDataType": "f32",
    "DLDevice": "cpu",
}
FOR_NAME = {
    ("value_size", "int64_t"): "sizeof *arguments",
    ("parameter_size", "int64_t"): "sizeof *parameters",
    ("count", "int32_t"): "1",  # uses, parameters
    ("ndim", "int64_t"): "2",
    ("status", "int32_t"): "DLF_INVALID",
    ("order", "int32_t"): "DLF_ROW_MAJOR",
    ("level", "int32_t"): "DLF_CHECK_STRUCTURE",
    ("copy", "int32_t"): "DLF_COPY_IF_NEEDED",
    ("axes", "const int64_t *"): "axes",
    ("axis", "int64_t"): "0",
    ("lane", "int32_t"): "0",
    ("index", "int64_t"): "0",
    ("start", "int64_t"): "0",
    ("size", "int64_t"): "sizeof memory",
    ("capacity", "int64_t"): "1",
    ("which", "int32_t"): "1",
    ("device_type", "int32_t"): "kDLVPI",
}
FUNCTION = re.compile(r"/\*\*((?:(?!\*/).)*)\*/\s*DLF_API\s+([^;{}]+?)\b(dlf_\w+)\(((?:[^()]|\([^()]*\))*)\);", re.S)
DECLARED = re.compile(r"^DLF_API\b", re.M)


def split(parameters):
    """Each parameter's type and name."""
    if parameters.strip() == "void":
        return
    for parameter in re.split(r",\s*(?![^()]*\))", " ".join(parameters.split())):
        pointer = re.fullmatch(r"(void|bool) \(\*(\w+)\)\(void \*\w+\)", parameter)
        if pointer:
            yield f"{pointer[1]} (*)(void *)", pointer[2]
        else:
            kind, name = re.fullmatch(r"(.*?)\s*(\w+)", parameter).groups()
            yield kind, name


MAY = r"may be NULL|NULL (means|does nothing|counts|to wait|for check_window)"


def may_be_null(comment, name, pointers):
    if name in ("error", "buffer"):
        return True
    words = " ".join(comment.replace("*", " ").split())
    sentences = re.split(r"\.(?:\s|$)|@param", words)
    return any(re.search(MAY, s) and (pointers == 1 or re.search(rf"\b{name}\b", s)) for s in sentences)


def calls(function, result, parameters, comment):
    values = []
    for kind, name in parameters:
        value = FOR_FUNCTION.get((function, name)) or FOR_NAME.get((name, kind)) or FOR_TYPE.get(kind)
        if value is None:
            sys.exit(f"null.py: {function}: what to give for `{kind} {name}`? Name it there.")
        values.append(value)
    pointers = [i for i, (kind, _) in enumerate(parameters) if "*" in kind or kind == "dlf_arg"]
    required = [i for i in pointers if parameters[i][1] not in ("error", "buffer")]
    for i in pointers:
        kind, name = parameters[i]
        given = [*values[:i], "((dlf_arg){NULL, 0})" if kind == "dlf_arg" else "NULL", *values[i + 1 :]]
        allowed = "true" if may_be_null(comment, name, len(required)) else "false"
        call = f"{function}({', '.join(given)})"
        yield f'  begin("{function}", "{name}", {allowed});'
        for k, (other, _) in enumerate(parameters):
            if k != i and result == "dlf_status" and other.endswith("**"):
                yield f"  *(void **)(void *)({given[k]}) = UNTOUCHED;"
        if result == "dlf_status":
            yield f"  judge({call});"
        elif result == "void":
            yield f"  {call};"
        elif result == "DLPackVersion":
            yield f"  judge_answer({call}.major);"
        elif any(n == "buffer" for _, n in parameters):
            yield f"  judge_text({call});"
        else:
            yield f"  judge_answer((uintptr_t){call});"


def main():
    header = "\n".join(Path(path).read_text(encoding="utf-8") for path in sys.argv[2:])
    found = FUNCTION.findall(header)
    if len(found) != len(DECLARED.findall(header)):
        sys.exit(f"null.py: {len(DECLARED.findall(header))} functions are declared, {len(found)} were read")
    lines = ["/* Made by null.py of the public headers. */", "static void call_all(void) {"]
    for comment, result, function, parameters in found:
        lines += calls(function, " ".join(result.split()), list(split(parameters)), comment)
    Path(sys.argv[1]).write_text("\n".join([*lines, "}", ""]), encoding="utf-8")


main()
