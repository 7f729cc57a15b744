/* SPDX-License-Identifier: Apache-2.0 */
/* NAME_contract_test.go of the Go package, a table of calls beside testdata/golden.txt:
 *
 *   {"blur/image_dtype", func() error {
 *     return failed(Blur(tensor("f16[2, 2]"), BlurOptions{Sigma: dlferry.Ptr[float64](1.0)}))
 *   }},
 */
#include "bind/base/names.h"
#include "bind/cases/cases.h"
#include "bind/emit/query.h"
#include "parts.h"

static const char go_tests_tensors[] =
    "// tensor returns zeros of the type and shape in words, \"f32[2, 3]\". \"strides 1 2\", "
    "\"read_only\",\n"
    "// \"align 512\" and \"skew 4\" (in bytes) may follow.\n"
    "func tensor(words string) dlferry.Arg { return within(nil, words) }\n"
    "\n"
    "// within does the same in memory that other tensors share.\n"
    "func within(memory []byte, words string) dlferry.Arg {\n"
    "\tall := strings.FieldsFunc(words, func(c rune) bool { return strings.ContainsRune(\" ,[]\", "
    "c) })\n"
    "\tnumbers := func(word string) (found []int) {\n"
    "\t\tfor _, next := range all[slices.Index(all, word)+1:] {\n"
    "\t\t\tnumber, err := strconv.Atoi(next)\n"
    "\t\t\tif err != nil {\n"
    "\t\t\t\tbreak\n"
    "\t\t\t}\n"
    "\t\t\tfound = append(found, number)\n"
    "\t\t}\n"
    "\t\treturn found\n"
    "\t}\n"
    "\tdtype, err := dlferry.ParseDType(all[0])\n"
    "\tif err != nil {\n"
    "\t\tpanic(err)\n"
    "\t}\n"
    "\tshape, strides := append([]int{}, numbers(all[0])...), numbers(\"strides\")\n"
    "\talign, skew := append(numbers(\"align\"), 16)[0], append(numbers(\"skew\"), 0)[0]\n"
    "\tfor step := 1; len(strides) < len(shape); {\n"
    "\t\tstrides = append([]int{step}, strides...)\n"
    "\t\tstep *= shape[len(shape)-len(strides)]\n"
    "\t}\n"
    "\tcount := 1\n"
    "\tfor axis, extent := range shape {\n"
    "\t\tcount += (extent - 1) * strides[axis]\n"
    "\t}\n"
    "\tsize := (max(count, 0)*int(dtype.Bits())*int(dtype.Lanes()) + 7) / 8\n"
    "\tstart := 0\n"
    "\tif memory == nil {\n"
    "\t\tmemory = bytes.Repeat([]byte{0x3D}, before+align+skew+size)\n"
    "\t\tstart = before + -int(uintptr(unsafe.Pointer(&memory[before])))&(align-1) + skew\n"
    "\t\tclear(memory[start : start+size])\n"
    "\t\tused = append(used, memory[start:start+size])\n"
    "\t} else {\n"
    "\t\tstart = -int(uintptr(unsafe.Pointer(&memory[0])))&(align-1) + skew\n"
    "\t}\n"
    "\tarray := dlferry.Of(memory[start:start+size], shape...).As(dtype).Strided(0, strides...)\n"
    "\tif byteOffset != 0 {\n"
    "\t\treturn describedAgain(array)\n"
    "\t}\n"
    "\tif slices.Contains(all, \"read_only\") {\n"
    "\t\treturn array.ReadOnly()\n"
    "\t}\n"
    "\treturn array\n"
    "}\n"
    "\n"
    "// managed is a DLManagedTensorVersioned.\n"
    "type managed struct {\n"
    "\tversion             [2]uint32\n"
    "\tmanagerCtx, deleter uintptr\n"
    "\tflags               uint64\n"
    "\tdata                uintptr\n"
    "\tdevice              [2]int32\n"
    "\tndim                int32\n"
    "\tdtype               [4]uint8\n"
    "\tshape, strides      uintptr\n"
    "\tbyteOffset          uint64\n"
    "}\n"
    "\n"
    "// describedAgain has data that begins byteOffset bytes before the elements.\n"
    "func describedAgain(array *dlferry.Array) *dlferry.Tensor {\n"
    "\towned, err := array.ToDLPack()\n"
    "\tif err != nil {\n"
    "\t\tpanic(err)\n"
    "\t}\n"
    "\tif m := (*managed)(owned); m.data != 0 {\n"
    "\t\tm.data -= byteOffset\n"
    "\t\tm.byteOffset += uint64(byteOffset)\n"
    "\t}\n"
    "\ttensor, err := dlferry.FromDLPack(owned)\n"
    "\tif err != nil {\n"
    "\t\tpanic(err)\n"
    "\t}\n"
    "\tmoved = append(moved, tensor)\n"
    "\treturn tensor\n"
    "}\n";

static const char go_tests[] =
    "package $package\n"
    "\n"
    "import (\n"
    "\t\"bytes\"\n"
    "\t_ \"embed\"\n"
    "\t\"fmt\"\n"
    "\t\"io\"\n"
    "\t\"slices\"\n"
    "\t\"strconv\"\n"
    "\t\"strings\"\n"
    "\t\"testing\"\n"
    "\t\"unsafe\"\n"
    "\n"
    "\tdlferry \"github.com/dlferry/dlferry/bindings/go\"\n"
    ")\n"
    "\n"
    "// golden holds the expected result of each call, in the order of calls.\n"
    "//\n"
    "//go:embed testdata/golden.txt\n"
    "var golden string\n"
    "\n"
    "// call is a call that its contract accepts, or one that breaks one of its rules.\n"
    "type call struct {\n"
    "\tname string\n"
    "\tmake func() error\n"
    "}\n"
    "\n"
    "var running *testing.T\n"
    "\n"
    "func TestContracts(t *testing.T) {\n"
    "\tt.Chdir(t.TempDir()) // functions may write files\n"
    "\tlines := slices.Collect(strings.Lines(golden))\n"
    "\tlines = slices.DeleteFunc(lines, func(line string) bool { return line[0] == '#' })\n"
    "\tif len(lines) != len(calls) {\n"
    "\t\tt.Errorf(\"golden.txt has %d lines for %d calls\", len(lines), len(calls))\n"
    "\t}\n"
    "\tfor i, c := range calls[:min(len(calls), len(lines))] {\n"
    "\t\tt.Run(c.name, func(t *testing.T) {\n"
    "\t\t\trunning = t\n"
    "\t\t\taccepted := c.name + \"\\tOK\\t\\n\"\n"
    "\t\t\tgot := accepted\n"
    "\t\t\tif err := c.make(); err != nil {\n"
    "\t\t\t\tfailure := err.(*dlferry.Error)\n"
    "\t\t\t\tgot = c.name + \"\\t\" + failure.Status.String() + \"\\t\" + failure.Message + "
    "\"\\n\"\n"
    "\t\t\t}\n"
    "\t\t\t// The function itself may refuse an accepted call, since the tensors hold zeros.\n"
    "\t\t\tcontract := strings.Contains(got, \"" BIND_CASE_WANTED
    "\") && !strings.Contains(got, \"" BIND_CASE_HOOK
    "\") && !strings.Contains(got, \"" BIND_CASE_HOOKED "\")\n"
    "\t\t\tif got != lines[i] && (lines[i] != accepted || contract) {\n"
    "\t\t\t\tt.Errorf(\"expected %s     got %s\", lines[i], got)\n"
    "\t\t\t}\n"
    "\t\t\tif lines[i] != accepted {\n"
    "\t\t\t\treturn\n"
    "\t\t\t}\n"
    "\t\t\tplain, moved := outcome(c.make, 0), outcome(c.make, before)\n"
    "\t\t\t// Calls may also differ by state or chance.\n"
    "\t\t\tif moved != plain && outcome(c.make, 0) == plain {\n"
    "\t\t\t\tt.Errorf(\"%s with a byte_offset: expected %s, got %s\", c.name, plain, moved)\n"
    "\t\t\t}\n"
    "\t\t})\n"
    "\t}\n"
    "}\n"
    "\n"
    "// before is how far before its elements the data of a tensor begins, once its byte_offset is "
    "not 0. Other bytes "
    "lie there.\n"
    "const before = 64\n"
    "\n"
    "// byteOffset is that of the tensors of a call, used the memory of their elements, given its "
    "results, moved the "
    "tensors.\n"
    "var (\n"
    "\tbyteOffset uintptr\n"
    "\tused       [][]byte\n"
    "\tgiven      []string\n"
    "\tmoved      []*dlferry.Tensor\n"
    ")\n"
    "\n"
    "// outcome makes a call with tensors that have this byte_offset, and writes its results and "
    "the elements of its "
    "tensors.\n"
    "func outcome(make func() error, offset uintptr) string {\n"
    "\tbyteOffset, used, given, moved = offset, nil, nil, nil\n"
    "\terr := make()\n"
    "\tbyteOffset = 0\n"
    "\tsaid := fmt.Sprint(given, used, err)\n"
    "\tfor _, tensor := range moved {\n"
    "\t\ttensor.Close()\n"
    "\t}\n"
    "\treturn said\n"
    "}\n"
    "\n"
    "// failed closes the results and returns the error after them.\n"
    "func failed(results ...any) error {\n"
    "\tfor _, result := range results {\n"
    "\t\tcloser, owned := result.(io.Closer)\n"
    "\t\tif _, elements := result.(*dlferry.Tensor); elements || !owned {\n"
    "\t\t\tgiven = append(given, fmt.Sprintf(\"%v\", result))\n"
    "\t\t}\n"
    "\t\tif owned {\n"
    "\t\t\tcloser.Close()\n"
    "\t\t}\n"
    "\t}\n"
    "\terr, _ := results[len(results)-1].(error)\n"
    "\treturn err\n"
    "}\n"
    "\n"
    "// made skips a call if its handle cannot be made: the function that makes it may refuse "
    "zeros.\n"
    "func made[H io.Closer](handle H, err error) H {\n"
    "\tif err != nil {\n"
    "\t\trunning.Skip(err)\n"
    "\t}\n"
    "\treturn handle\n"
    "}\n"
    "\n"
    "func closed[H io.Closer](handle H) H {\n"
    "\thandle.Close()\n"
    "\treturn handle\n"
    "}\n"
    "\n"
    "$tensors\n"
    "\n"
    "var calls = []call{\n"
    "\t$rows\n"
    "}\n";

static const char go_test_row[] = "{\"$name\", func() error {\n"
                                  "\t$memory\n"
                                  "\t$return\n"
                                  "}},\n";

static const char *go_case_call(const bind_ir *ir, const bind_case *c);

static const char *go_case_handle(const bind_ir *ir, const bind_case_value *v) {
  return bind_string(v->closed ? "closed(made(%s))" : "made(%s)",
                     go_case_call(ir, bind_maker_case(v->maker)));
}

static const char *go_case_tensor(const bind_case *c, const bind_param *p,
                                  const bind_case_tensor *tensor) {
  return bind_string("%s\"%s\")",
                     bind_case_shares(c, p, tensor) ? "within(memory, " : "tensor(",
                     bind_case_words(c, p, tensor));
}

/* []dlferry.Arg{tensor("f32[2]"), tensor("f32[2]")}, []int64{0, 0} */
static const char *go_case_list(const bind_case *c, const bind_param *p, const bind_case_value *v) {
  const char *list = "";
  for (int i = 0; i < v->count; i++) {
    list = bind_join(
        list, ", ", p->type.kind == BIND_LIST ? go_case_tensor(c, p, &v->tensor[i]) : v->text);
  }
  return bind_string("%s{%s}", go_type(&p->type), list);
}

static const char *go_case_value(const bind_ir *ir, const bind_case *c, const bind_param *p) {
  const bind_case_value *v = bind_value_of(c, p);
  switch (p->type.kind) {
  case BIND_TENSOR:
    if (v->absent) {
      return "nil";
    }
    return go_case_tensor(c, p, v->tensor);
  case BIND_LIST:
  case BIND_ARRAY:
    return go_case_list(c, p, v);
  case BIND_COMPLEX:
    return bind_string("complex(%s, %s)", v->text, v->imaginary);
  case BIND_CHAR:
    return bind_string("'%s'", v->text);
  case BIND_STRING:
    return bind_string("\"%s\"", v->text);
  case BIND_BOOL:
    if (v->truth) {
      return "true";
    }
    return "false";
  case BIND_HANDLE:
    return go_case_handle(ir, v);
  case BIND_ENUM:
    if (v->enumerator) {
      return bind_pascal(v->enumerator->short_name);
    }
    return bind_string("%s(%lld)", go_type(&p->type), (long long)v->integer);
  default:
    return v->text;
  }
}

/* BlurOptions{Sigma: dlferry.Ptr[float64](1.0)} */
static const char *go_case_options(const bind_ir *ir, const bind_case *c) {
  const bind_function *f = c->function;
  const char *options = "";
  BIND_EACH (const bind_param, p, f->params, f->param_count) {
    if (!go_is_option(p) || p->type.kind == BIND_STREAM ||
        (bind_is_maybe(p) && bind_value_of(c, p)->absent)) {
      continue;
    }
    const char *value = go_case_value(ir, c, p);
    if (*go_field_type(p) == '*') {
      value = bind_string("dlferry.Ptr[%s](%s)", go_type(&p->type), value);
    }
    options = bind_join(options, ", ", bind_string("%s: %s", bind_pascal(p->name), value));
  }
  return bind_string("%s{%s}", go_options_name(f), options);
}

/* BlurInto(tensor("f32[2, 3]"), BlurOptions{}, tensor("f32[2, 3]")),
 * made(...).Add(tensor("f64[2]")) */
static const char *go_case_call(const bind_ir *ir, const bind_case *c) {
  const bind_function *f = c->function;
  const char *arguments = "";
  const char *self = "";
  BIND_EACH (const bind_param, p, f->params, f->param_count) {
    if (go_is_option(p) ? p != go_first_option(f) : !bind_is_passed(p, c->make)) {
      continue;
    }
    const char *value;
    if (go_is_option(p)) {
      value = go_case_options(ir, c);
    } else {
      value = go_case_value(ir, c, p);
    }
    if (p == f->params && f->method_of) {
      self = bind_string("%s.", value);
    } else {
      arguments = bind_join(arguments, ", ", value);
    }
  }
  return bind_string("%s%s(%s)", self, go_function_name(&(go_call){ir, f, c->make}), arguments);
}

/* A call without results is a statement. */
static const char *go_case_return(const bind_ir *ir, const bind_case *c) {
  const bool results = go_can_fail(c->function) || bind_count_results(c->function, c->make);
  return bind_string(results ? "return failed(%s)" : "%s\nreturn nil", go_case_call(ir, c));
}

/* Arguments of a call make handles, and there Go has no place for further results of the maker. */
static bool go_can_say(const bind_case *c) {
  for (int i = 0; i < c->function->param_count; i++) {
    const bind_function *maker = c->values[i].maker;
    if (maker && bind_count_results(maker, bind_maker_case(maker)->make) > 1) {
      return false;
    }
  }
  return true;
}

void go_emit_tests(const bind_ir *ir, bind_out *out) {
  bind_text rows = {0};
  bind_text golden = {0};
  bind_begin_golden(&golden, ir, "go");
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    for (const bind_case *c = bind_first_case(f); c; c = c->next) {
      const char *memory = "";
      if (!go_can_say(c)) {
        continue;
      }
      if (c->owner) {
        memory = bind_string("memory := make([]byte, %lld)", (long long)bind_case_room(c));
      }
      bind_fill(&rows,
                go_test_row,
                {"name", c->full_name},
                {"memory", memory},
                {"return", go_case_return(ir, c)});
      bind_put_golden(&golden, c);
    }
  }
  bind_end_golden(&golden, ir);
  go_write(ir,
           out,
           bind_string("go/%s_contract_test.go", ir->name),
           go_tests,
           {"package", ir->name},
           {"tensors", go_tests_tensors},
           {"rows", bind_keep(&rows)});
  bind_write(out, "go/testdata/golden.txt", &golden);
  bind_text_free(&golden);
}
