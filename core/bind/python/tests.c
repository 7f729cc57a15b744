/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the Python package, for pytest: tests/test_contract.py, one call a row, and
 * tests/golden.txt.
 *
 *   "blur/out_w": lambda: photo.blur(image=zeros("float32", 2, 3), sigma=1.0, out=zeros("float32",
 * 2, 4)), */
#include "bind/base/escape.h"
#include "bind/base/template.h"
#include "bind/cases/cases.h"
#include "bind/emit/package.h"
#include "bind/emit/query.h"
#include "python.h"
#include <string.h>

enum { PYTHON_WIDTH = 120 };

static const char python_tests_handles[] =
    "\n"
    "\n"
    "def made(make):\n"
    "    \"\"\"Make an object for a call; skip the call if that fails.\"\"\"\n"
    "    try:\n"
    "        return make()\n"
    "    except dlferry.Error as error:\n"
    "        pytest.skip(str(error))\n"
    "\n"
    "\n"
    "def closed(handle):\n"
    "    handle.close()\n"
    "    return handle\n";

static const char python_tests_tensors[] =
    "# What lies around the elements, and how far before them data is said to begin.\n"
    "OTHERS = b\"\\x3d\"\n"
    "BYTE_OFFSET = 64\n"
    "# The byte_offset of the tensors of a call, and the memory of their elements.\n"
    "now = {\"byte_offset\": 0}\n"
    "used = []\n"
    "\n"
    "\n"
    "class Managed(ctypes.Structure):\n"
    "    \"\"\"A DLManagedTensorVersioned.\"\"\"\n"
    "\n"
    "    _fields_ = [\n"
    "        (\"version\", ctypes.c_uint32 * 2),\n"
    "        (\"manager_ctx\", ctypes.c_void_p),\n"
    "        (\"deleter\", ctypes.c_void_p),\n"
    "        (\"flags\", ctypes.c_uint64),\n"
    "        (\"data\", ctypes.c_void_p),\n"
    "        (\"device\", ctypes.c_int32 * 2),\n"
    "        (\"ndim\", ctypes.c_int32),\n"
    "        (\"dtype\", ctypes.c_uint8 * 4),\n"
    "        (\"shape\", ctypes.c_void_p),\n"
    "        (\"strides\", ctypes.c_void_p),\n"
    "        (\"byte_offset\", ctypes.c_uint64),\n"
    "    ]\n"
    "\n"
    "\n"
    "def moved(tensor, byte_offset):\n"
    "    \"\"\"Describe a tensor again, with data that begins byte_offset bytes before its "
    "elements.\"\"\"\n"
    "    capsule = tensor.__dlpack__(max_version=(1, 3))\n"
    "    find = ctypes.pythonapi.PyCapsule_GetPointer\n"
    "    find.restype, find.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]\n"
    "    managed = Managed.from_address(find(capsule, b\"dltensor_versioned\"))\n"
    "    if managed.data:\n"
    "        managed.data -= byte_offset\n"
    "        managed.byte_offset += byte_offset\n"
    "    return dlferry.from_dlpack(capsule)\n"
    "\n"
    "\n"
    "def zeros(dtype, *shape, strides=None, read_only=False, align=16, skew=0, memory=None):\n"
    "    \"\"\"Return an array of zeros: NumPy's, or dlferry's if NumPy lacks the dtype.\n"
    "\n"
    "    strides are in elements; the first element lies skew bytes after a multiple of align, or "
    "where memory "
    "begins.\n"
    "    \"\"\"\n"
    "    if memory is None:\n"
    "        reach = 1 + sum((n - 1) * s for n, s in zip(shape, strides)) if strides else "
    "math.prod(shape)\n"
    "        size = 0 if 0 in shape else reach * ELEMENT.get(dtype, 16)\n"
    "        memory = bytearray(OTHERS * (BYTE_OFFSET + align + skew + size))\n"
    "        start = BYTE_OFFSET + -(dlferry.wrap(memory).data + BYTE_OFFSET) % align + skew\n"
    "        memory = memoryview(memory)[start : start + size]\n"
    "        memory[:] = bytes(size)\n"
    "        used.append(memory)\n"
    "    tensor = dlferry.wrap(memory.toreadonly() if read_only else memory, dtype, shape, "
    "strides)\n"
    "    if now[\"byte_offset\"]:\n"
    "        return moved(tensor, now[\"byte_offset\"])\n"
    "    return tensor.numpy() if dtype in ELEMENT else tensor\n"
    "\n"
    "\n"
    "def seen(result):\n"
    "    \"\"\"Return what a call gave as values that can be compared.\"\"\"\n"
    "    if isinstance(result, (tuple, list)):\n"
    "        return [seen(item) for item in result]\n"
    "    if hasattr(result, \"tobytes\"):\n"
    "        return result.tobytes()\n"
    "    return re.sub(\" at 0x[0-9a-f]+\", \"\", repr(result))  # an object's address\n"
    "\n"
    "\n"
    "def outcome(name, byte_offset):\n"
    "    \"\"\"Make a call with tensors that have this byte_offset; return its results and the "
    "elements of its "
    "tensors.\"\"\"\n"
    "    used.clear()\n"
    "    now[\"byte_offset\"] = byte_offset\n"
    "    try:\n"
    "        said = seen(CALLS[name]())\n"
    "    except dlferry.Error as error:\n"
    "        said = str(error)\n"
    "    finally:\n"
    "        now[\"byte_offset\"] = 0\n"
    "    return said, [bytes(memory) for memory in used]\n";

static const char python_tests[] =
    "\"\"\"Calls of $package that the contracts accept, and calls that break one rule each.\n"
    "\n"
    "golden.txt has their results: name, status, text.\n"
    "\"\"\"\n"
    "\n"
    "import ctypes\n"
    "import math\n"
    "import os\n"
    "import re\n"
    "import sys\n"
    "import tempfile\n"
    "from pathlib import Path\n"
    "\n"
    "import dlferry\n"
    "import pytest\n"
    "\n"
    "# Import the installed package, not the source in this folder, which python -m pytest would "
    "find first.\n"
    "sys.path[:] = [p for p in sys.path if Path(p).resolve() != "
    "Path(__file__).resolve().parents[1]]\n"
    "\n"
    "import $package  # noqa: E402\n"
    "\n"
    "LINES = (Path(__file__).parent / \"golden.txt\").read_text(encoding=\"utf-8\").splitlines()\n"
    "ROWS = [line.split(\"\\t\") for line in LINES if not line.startswith(\"#\")]\n"
    "GOLDEN = {name: (status, text) for name, status, text in ROWS}\n"
    "# The size of an element in bytes.\n"
    "ELEMENT = {\"bool\": 1, \"complex64\": 8, \"complex128\": 16, \"float16\": 2, \"float32\": 4, "
    "\"float64\": 8}\n"
    "ELEMENT |= {f\"{kind}{bits}\": bits // 8 for kind in (\"int\", \"uint\") for bits in (8, 16, "
    "32, 64)}\n"
    "\n"
    "$tensors\n"
    "$handles\n"
    "\n"
    "\n"
    "CALLS = {\n"
    "    $rows\n"
    "}\n"
    "\n"
    "\n"
    "@pytest.fixture(autouse=True, scope=\"module\")\n"
    "def folder():\n"
    "    \"\"\"Run calls in a folder of their own, since functions may write files; it is removed "
    "with them.\"\"\"\n"
    "    before = Path.cwd()\n"
    "    with tempfile.TemporaryDirectory() as name:\n"
    "        os.chdir(name)\n"
    "        yield\n"
    "        os.chdir(before)\n"
    "\n"
    "\n"
    "@pytest.mark.parametrize(\"name\", CALLS)\n"
    "def test_call(name):\n"
    "    status, text = GOLDEN[name]\n"
    "    if status == \"OK\":\n"
    "        try:\n"
    "            CALLS[name]()\n"
    "        except dlferry.Error as error:  # the function itself may refuse zeros, the contract "
    "must not\n"
    "            hooks = \"" BIND_CASE_HOOK "\" in str(error) or \"" BIND_CASE_HOOKED
    "\" in str(error)\n"
    "            assert \"" BIND_CASE_WANTED "\" not in str(error) or hooks\n"
    "        return\n"
    "    with pytest.raises(dlferry.Error) as caught:\n"
    "        CALLS[name]()\n"
    "    assert (caught.value.status.name, str(caught.value)) == (status, text)\n"
    "\n"
    "\n"
    "@pytest.mark.parametrize(\"name\", [name for name, status, _ in ROWS if status == \"OK\"])\n"
    "def test_call__is_the_same_with_a_byte_offset(name):\n"
    "    plain, offset = outcome(name, 0), outcome(name, BYTE_OFFSET)\n"
    "    # Calls may also differ by state or chance.\n"
    "    assert offset == plain or outcome(name, 0) != plain\n"
    "\n"
    "\n"
    "def test_golden__has_a_line_for_each_call():\n"
    "    assert [name for name, _, _ in ROWS] == list(CALLS)\n";

/* Python itself refuses unknown values of enums other than flags. */
static bool python_can_say(const bind_case *c) {
  return c->broken != BIND_BROKEN_ENUM || c->param->type.enumeration->flags;
}

/* ---- Arguments ---- */

static const char *python_zeros(const bind_case *c, const bind_param *p,
                                const bind_case_tensor *t) {
  const bool guest = c->guest == p && t == bind_value_of(c, p)->tensor;
  char dtype[DLF_NAME_CAPACITY]; /* the whole name, since Python has no short ones */
  dlf_dtype_format(t->dtype, dtype, sizeof dtype);
  const char *text = bind_string("zeros(\"%s\"", dtype), *strides = "";
  for (int i = 0; i < t->ndim; i++) {
    text = bind_string("%s, %lld", text, (long long)t->shape[i]);
    strides = bind_join(strides, ", ", bind_string("%lld", (long long)t->strides[i]));
  }
  if (!t->row_major) {
    text = bind_string("%s, strides=(%s%s)", text, strides, t->ndim == 1 ? "," : "");
  }
  if (t->read_only) {
    text = bind_string("%s, read_only=True", text);
  }
  if (t->align > 16) {
    text = bind_string("%s, align=%lld", text, (long long)t->align);
  }
  if (t->skew) {
    text = bind_string("%s, skew=%lld", text, (long long)t->skew);
  }
  if (guest) {
    text = bind_string("%s, memory=%s%s", text, python_name(c->owner->name),
                       c->owner->type.kind == BIND_LIST ? "[0]" : "");
  }
  return bind_string("%s)", text);
}

static const char *python_call(const bind_ir *ir, const bind_case *c, bool wrap);

static const char *python_sequence(const bind_case *c, const bind_param *p,
                                   const bind_case_value *value) {
  const char *items = "";
  for (int i = 0; i < value->count; i++) {
    items =
        bind_join(items, ", ",
                  p->type.kind == BIND_LIST ? python_zeros(c, p, &value->tensor[i]) : value->text);
  }
  return bind_string("[%s]", items);
}

static const char *python_argument(const bind_ir *ir, const bind_case *c, const bind_param *p) {
  const bind_case_value *value = bind_value_of(c, p);
  const char *text;
  switch (p->type.kind) {
  case BIND_TENSOR:
    text = python_zeros(c, p, value->tensor);
    break;
  case BIND_LIST:
  case BIND_ARRAY:
    text = python_sequence(c, p, value);
    break;
  case BIND_BOOL:
    return value->truth ? "True" : "False";
  case BIND_COMPLEX:
    return bind_string("complex(%s, %s)", value->text, value->imaginary);
  case BIND_CHAR:
    return bind_string("\"%s\"", value->text);
  case BIND_STRING:
    return bind_string("\"%s\"", bind_doc_escape(BIND_DOC_STRING, value->text));
  case BIND_ENUM:
    if (!value->enumerator) {
      return bind_string("%lld", (long long)value->integer);
    }
    return bind_string("%s.%s.%s", ir->name, python_enum_name(p->type.enumeration),
                       python_member_name(value->enumerator));
  case BIND_HANDLE:
    text = bind_string("made(lambda: %s)", python_call(ir, bind_maker_case(value->maker), false));
    return value->closed ? bind_string("closed(%s)", text) : text;
  default:
    return value->text;
  }
  return c->owner == p ? bind_string("(%s := %s)", python_name(p->name), text) : text;
}

/* ---- Calls ---- */

static const char *python_function(const bind_ir *ir, const bind_case *c) {
  const bind_function *f = c->function;
  if (f->method_of) {
    return bind_string("%s.%s", python_argument(ir, c, &f->params[0]), python_function_name(f));
  }
  if (f->creates && python_constructor(f->creates) == f) {
    return bind_string("%s.%s", ir->name, python_class_name(f->creates));
  }
  if (f->creates) {
    return bind_string("%s.%s.%s", ir->name, python_class_name(f->creates),
                       python_function_name(f));
  }
  return bind_string("%s.%s", ir->name, python_function_name(f));
}

/* setattr(made(lambda: k.Codec()), "level", 5) */
static const char *python_set(const bind_ir *ir, const bind_case *c, bool wrap) {
  const bind_param *object = c->function->params, *value = object + 1;
  return bind_string(wrap ? "setattr(\n    %s,\n    \"%s\",\n    %s,\n)"
                          : "setattr(%s, \"%s\", %s)",
                     python_argument(ir, c, object), python_function_name(c->function),
                     python_argument(ir, c, value));
}

/* Return a call with arguments by name, first the one that lends its memory; wrapped, each is on
 * its own line. */
static const char *python_call(const bind_ir *ir, const bind_case *c, bool wrap) {
  const python_params params = python_order(c->function);
  const char *text = "", *between = wrap ? "\n    " : "";
  for (int owner = 1; owner >= 0; owner--) {
    for (int i = params.self; i < params.count; i++) {
      const bind_param *p = params.list[i];
      if (!bind_is_passed(p, c->make) || bind_value_of(c, p)->absent || (p == c->owner) != owner) {
        continue;
      }
      text =
          bind_string("%s%s%s=%s", text, between, python_name(p->name), python_argument(ir, c, p));
      between = wrap ? ",\n    " : ", ";
    }
  }
  if (bind_is_getter(c->function)) {
    return python_function(ir, c);
  }
  if (c->function->sets) {
    return python_set(ir, c, wrap);
  }
  return bind_string("%s(%s%s)", python_function(ir, c), text, wrap && *text ? ",\n" : "");
}

static const char *python_test_rows(bind_text *golden, const bind_ir *ir) {
  bind_text rows = {0};
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    for (const bind_case *c = bind_first_case(f); c; c = c->next) {
      if (!python_can_say(c)) {
        continue;
      }
      const char *row = bind_string("\"%s\": lambda: %s,", c->full_name, python_call(ir, c, false));
      if (strlen(row) + 4 > PYTHON_WIDTH) {
        row = bind_string("\"%s\": lambda: %s,", c->full_name, python_call(ir, c, true));
      }
      bind_line(&rows, "%s", row);
      bind_put_golden(golden, c);
    }
  }
  return bind_keep(&rows);
}

static bool python_has_handles(const bind_ir *ir) {
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    for (int i = 0; i < f->param_count; i++) {
      if (f->cases && f->params[i].type.kind == BIND_HANDLE && !f->params[i].returned) {
        return true;
      }
    }
  }
  return false;
}

void python_emit_tests(const bind_ir *ir, bind_out *out) {
  bind_text t = {0}, golden = {0};
  bind_first_line(&t, ir, "#", "", "python");
  bind_begin_golden(&golden, ir, "python");
  bind_fill(&t, python_tests, {"package", ir->name}, {"tensors", python_tests_tensors},
            {"handles", python_has_handles(ir) ? python_tests_handles : ""},
            {"rows", python_test_rows(&golden, ir)});
  bind_end_golden(&golden, ir);
  bind_write(out, "python/tests/test_contract.py", &t);
  bind_write(out, "python/tests/golden.txt", &golden);
  bind_text_free(&t);
  bind_text_free(&golden);
}
