/* SPDX-License-Identifier: Apache-2.0 */
/* The Julia package's tests: test/runtests.jl makes the calls of cases.h, test/golden.txt has their
 * results. */
#include "bind/cases/cases.h"
#include "bind/emit/package.h"
#include "bind/emit/query.h"
#include "julia.h"
#include <inttypes.h>
#include <string.h>

static const char julia_tests[] =
    "# Calls that the contracts accept, and calls that break one rule each.\n"
    "using DLFerry, Test\n"
    "import $module\n"
    "\n"
    "const lines = filter(line -> !startswith(line, '#'), readlines(joinpath(@__DIR__, "
    "\"golden.txt\")))\n"
    "const golden = Dict(name => (status, text) for (name, status, text) in split.(lines, '\\t'))\n"
    "const called = Set{String}()\n"
    "cd(mktempdir()) # functions may write files; Julia removes the folder when it ends\n"
    "\n"
    "# How far before its elements the data of a tensor begins, once its byte_offset is not 0. "
    "Other bytes lie there.\n"
    "const before = 64\n"
    "const byte_offset = Ref(0)\n"
    "const used = DLFerry.Tensor[] # the tensors of a call\n"
    "\n"
    "\"Zeros, `skew` bytes behind a multiple of `align`; in memory of their own, or from where "
    "another's begins.\"\n"
    "function tensor(dtype, shape...; strides = nothing, readonly = false, align = 1, skew = 0, "
    "reach = prod(shape),\n"
    "                memory = nothing)\n"
    "    if memory === nothing\n"
    "        memory = DLFerry.create(dtype, reach + 8 * (align + skew) + 2 * before)\n"
    "        start = pointer(memory) + before + mod(-(UInt(pointer(memory)) + before), align) + "
    "skew\n"
    "        GC.@preserve memory foreach(i -> unsafe_store!(Ptr{UInt8}(start) - i, 0x3d), "
    "1:before)\n"
    "    else\n"
    "        start = pointer(memory) + mod(-UInt(pointer(memory)), align) + skew\n"
    "    end\n"
    "    made = wrap(start, dtype, shape; strides = strides, readonly = readonly, owner = memory)\n"
    "    push!(used, byte_offset[] == 0 ? made : moved(made))\n"
    "    return last(used)\n"
    "end\n"
    "\n"
    "\"A tensor described again, with data that begins `byte_offset` bytes before its elements.\"\n"
    "function moved(tensor)\n"
    "    managed = DLFerry.to_dlpack(tensor)\n"
    "    field(T, name) = fieldoffset(T, findfirst(==(name), fieldnames(T)))\n"
    "    dl = Ptr{UInt8}(managed) + field(DLFerry.DLManagedTensorVersioned, :dl_tensor)\n"
    "    data = Ptr{UInt}(dl + field(DLFerry.DLTensor, :data))\n"
    "    offset = Ptr{UInt64}(dl + field(DLFerry.DLTensor, :byte_offset))\n"
    "    if unsafe_load(data) != 0\n"
    "        unsafe_store!(data, unsafe_load(data) - byte_offset[])\n"
    "        unsafe_store!(offset, unsafe_load(offset) + byte_offset[])\n"
    "    end\n"
    "    return DLFerry.from_dlpack(managed)\n"
    "end\n"
    "\n"
    "\"The kernel refuses to make the object that a call needs.\"\n"
    "struct Unmade <: Exception end\n"
    "made(make) = try make() catch; throw(Unmade()) end\n"
    "closed(object) = (close(object); object)\n"
    "\n"
    "status_of(::ArgumentError) = \"INVALID\"\n"
    "status_of(::DimensionMismatch) = \"SHAPE\"\n"
    "status_of(::OverflowError) = \"OVERFLOW\"\n"
    "status_of(e::DLFerryError) = String(e.status)\n"
    "\n"
    "# A kernel may refuse zeros, in words of its own: only a contract says what it wanted.\n"
    "is_kernels_own(text) = !occursin(\"" BIND_CASE_WANTED "\", text) || occursin(\"" BIND_CASE_HOOK
    "\", text) ||\n"
    "                       occursin(\"" BIND_CASE_HOOKED "\", text)\n"
    "\n"
    "# Calls are evaluated, not compiled, since each is made once.\n"
    "function check(name, call)\n"
    "    push!(called, name)\n"
    "    said = try\n"
    "        Core.eval(@__MODULE__, call)\n"
    "        (\"OK\", \"\")\n"
    "    catch e\n"
    "        e isa Unmade && return @test_skip name\n"
    "        golden[name][1] == \"OK\" && is_kernels_own(e.msg) ? golden[name] : (status_of(e), "
    "e.msg)\n"
    "    finally\n"
    "        empty!(used)\n"
    "    end\n"
    "    @test (name, said...) == (name, golden[name]...)\n"
    "    golden[name][1] == \"OK\" || return\n"
    "    plain, offset = outcome(call, 0), outcome(call, before)\n"
    "    # Calls may also differ by state or chance.\n"
    "    @test offset == plain || outcome(call, 0) != plain\n"
    "end\n"
    "\n"
    "seen(result::Tuple) = map(seen, result)\n"
    "seen(result::Union{DLFerry.Tensor,AbstractArray}) = DLFerry.format(result)\n"
    "seen(result) = repr(result)\n"
    "\n"
    "\"Make a call with tensors that have this byte_offset; return its results and the elements of "
    "its tensors.\"\n"
    "function outcome(call, offset)\n"
    "    byte_offset[] = offset\n"
    "    said = try\n"
    "        seen(Core.eval(@__MODULE__, call))\n"
    "    catch e\n"
    "        e isa Unmade ? \"unmade\" : e.msg\n"
    "    finally\n"
    "        byte_offset[] = 0\n"
    "    end\n"
    "    elements = [isopen(t) ? DLFerry.format(t) : \"\" for t in used]\n"
    "    empty!(used)\n"
    "    return said, elements\n"
    "end\n"
    "\n"
    "@testset \"$module\" begin\n"
    "$sets\n"
    "    @testset \"each line of golden.txt has its call\" begin\n"
    "        @test issetequal(called, keys(golden))\n"
    "    end\n"
    "end\n";

typedef struct julia_test {
  const char *module;
  const bind_case *c;
} julia_test;

static const char *julia_test_call(const julia_test *test);

/* tensor("f32", 4, 5; strides = (1, 4)) */
static const char *julia_tensor(const bind_case_tensor *t, const char *memory) {
  const char *arguments = bind_string("\"%s\"", t->dtype_name);
  const char *strides = "";
  const char *options = "";
  int64_t count = 1;
  for (int i = 0; i < t->ndim; i++) {
    arguments = bind_string("%s, %" PRId64, arguments, t->shape[i]);
    strides = bind_join(strides, ", ", bind_string("%" PRId64, t->strides[i]));
    count *= t->shape[i];
  }
  if (!t->row_major) {
    options = bind_join(
        options, ", ", bind_string("strides = (%s%s)", strides, bind_when(t->ndim == 1, ",")));
  }
  if (t->reach > count) {
    options = bind_join(options, ", ", bind_string("reach = %" PRId64, t->reach));
  }
  if (t->align > 1) {
    options = bind_join(options, ", ", bind_string("align = %" PRId64, t->align));
  }
  if (t->skew) {
    options = bind_join(options, ", ", bind_string("skew = %" PRId64, t->skew));
  }
  if (t->read_only) {
    options = bind_join(options, ", ", "readonly = true");
  }
  if (memory) {
    options = bind_join(options, ", ", bind_string("memory = %s", memory));
  }
  return bind_string("tensor(%s%s%s)", arguments, bind_when(*options, "; "), options);
}

/* Return the argument of a parameter, except for a tensor that lends its memory. */
static const char *julia_passed(const bind_param *p, const julia_test *test) {
  const bind_case *c = test->c;
  const bind_case_value *v = bind_value_of(c, p);
  const char *memory = NULL;
  const char *list = "";
  if (p == c->guest) {
    if (c->owner->type.kind == BIND_LIST) {
      memory = "first(shared)";
    } else {
      memory = "shared";
    }
  }
  switch (p->type.kind) {
  case BIND_TENSOR:
    if (v->absent) {
      return "nothing";
    }
    return julia_tensor(v->tensor, memory);
  case BIND_LIST:
    for (int i = 0; i < v->count; i++) {
      list = bind_join(list, ", ", julia_tensor(&v->tensor[i], i ? NULL : memory));
    }
    return bind_string("Tensor[%s]", list);
  case BIND_ARRAY:
    return bind_string("fill(%s, %d)", v->count ? v->text : "0", v->count);
  case BIND_BOOL:
    if (v->truth) {
      return "true";
    }
    return "false";
  case BIND_COMPLEX:
    return bind_string("complex(%s, %s)", v->text, v->imaginary);
  case BIND_CHAR:
    return bind_string("'%s'", v->text);
  case BIND_STRING:
    if (v->absent) {
      return "nothing";
    }
    return bind_string("\"%s\"", v->text);
  case BIND_ENUM:
    if (!v->enumerator) {
      return bind_string("%" PRId64, v->integer);
    }
    return bind_string("%s.%s", test->module, julia_name(v->enumerator->short_name));
  case BIND_HANDLE: {
    const julia_test maker = {test->module, bind_maker_case(v->maker)};
    const bool alone = bind_count_results(v->maker, maker.c->make) == 1;
    const char *object = bind_string(alone ? "made(() -> %s)" : "made(() -> %s[%d])",
                                     julia_test_call(&maker),
                                     bind_place_of_handle(v->maker, maker.c->make) + 1);
    if (v->closed) {
      return bind_string("closed(%s)", object);
    }
    return object;
  }
  default:
    if (v->absent) {
      return "nothing";
    }
    return v->text;
  }
}

/* A default is left out. */
static const char *julia_test_argument(const bind_param *p, const void *context) {
  const julia_test *test = context;
  if (p->type.kind == BIND_STREAM) {
    return "";
  }
  const char *value = "shared";
  if (p != test->c->owner) {
    value = julia_passed(p, test);
  }
  const bind_enumerator *usual = NULL;
  if (!p->def.next) {
    usual = p->def.enumerator;
  }
  if (!julia_is_keyword(p)) {
    return value;
  }
  if (usual ? bind_value_of(test->c, p)->enumerator == usual : !strcmp(value, julia_default(p))) {
    return "";
  }
  return bind_string("%s = %s", julia_name(p->name), value);
}

/* Photo.blur(tensor("f32", 1, 1); sigma = 1.0) */
static const char *julia_test_call(const julia_test *test) {
  const bind_case *c = test->c;
  const char *call = julia_signature(c->function, c->make, julia_test_argument, test);
  if (!c->owner) {
    return bind_string("%s.%s", test->module, call);
  }
  return bind_string(
      "let shared = %s; %s.%s end", julia_passed(c->owner, test), test->module, call);
}

/* An @enum cannot hold an unknown value; flags are plain integers. */
static bool julia_can_say(const bind_case *c) {
  for (int i = 0; i < c->function->param_count; i++) {
    const bind_param *p = &c->function->params[i];
    if (!bind_is_passed(p, c->make) || p->type.kind != BIND_ENUM || p->type.enumeration->flags) {
      continue;
    }
    if (!c->values[i].enumerator) {
      return false;
    }
  }
  return true;
}

/* Return a test set for each function that has calls, and append a line to golden.txt for each
 * call. */
static const char *julia_test_sets(const bind_ir *ir, bind_text *golden, const char *module) {
  bind_text t = {.unit = "    ", .depth = 1};
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    const int depth = t.depth;
    for (const bind_case *c = bind_first_case(f); c; c = c->next) {
      const julia_test test = {module, c};
      if (!julia_can_say(c)) {
        continue;
      }
      if (t.depth == depth) {
        bind_open(&t, "@testset \"%s\" begin", f->short_name);
      }
      bind_wrapped(&t, bind_string("check(\"%s\", :(%s))", c->full_name, julia_test_call(&test)));
      bind_put_golden(golden, c);
    }
    if (t.depth > depth) {
      bind_close(&t, "end\n");
    }
  }
  return bind_keep(&t);
}

void julia_emit_tests(const bind_ir *ir, bind_out *out, const char *module) {
  bind_text t = {0};
  bind_text golden = {0};
  bind_first_line(&t, ir, "#", "", "julia");
  bind_begin_golden(&golden, ir, "julia");
  bind_fill(&t, julia_tests, {"module", module}, {"sets", julia_test_sets(ir, &golden, module)});
  bind_end_golden(&golden, ir);
  bind_write(out, "julia/test/runtests.jl", &t);
  bind_write(out, "julia/test/golden.txt", &golden);
  bind_text_free(&t);
  bind_text_free(&golden);
}
