/* SPDX-License-Identifier: Apache-2.0 */
/* tests/contract.rs of the Rust crate, a table of calls beside golden.txt:
 *
 *   golden! {
 *       "blur/image_dtype": photo::blur(&tensor("f16[2, 2]"), photo::BlurOptions { sigma: 1.0 });
 *   }
 */
#include "bind/base/template.h"
#include "bind/cases/cases.h"
#include "bind/emit/package.h"
#include "bind/emit/query.h"
#include "rust.h"

static const char rust_test_head[] =
    "//! Calls that the contracts accept, and calls that break one rule each. golden.txt has their "
    "results.\n"
    "#![allow(dead_code, deprecated, unused_imports)]\n"
    "\n"
    "use dlferry::{flags, DType, Device, Result, Tensor};\n"
    "use std::cell::{Cell, RefCell};\n"
    "use std::fmt::Debug;\n"
    "use std::path::PathBuf;\n"
    "use std::sync::Arc;\n"
    "use std::{env, fs, process};\n"
    "\n"
    "/// The folder in which calls run, since functions may write files; it is removed with them.\n"
    "struct Folder {\n"
    "    path: PathBuf,\n"
    "    before: PathBuf,\n"
    "}\n"
    "\n"
    "impl Folder {\n"
    "    fn enter() -> Self {\n"
    "        let before = env::current_dir().unwrap();\n"
    "        let path = env::temp_dir().join(format!(\"dlferry-test-{}\", process::id()));\n"
    "        fs::create_dir_all(&path).unwrap();\n"
    "        env::set_current_dir(&path).unwrap();\n"
    "        Self { path, before }\n"
    "    }\n"
    "}\n"
    "\n"
    "impl Drop for Folder {\n"
    "    fn drop(&mut self) {\n"
    "        let _ = env::set_current_dir(&self.before);\n"
    "        let _ = fs::remove_dir_all(&self.path);\n"
    "    }\n"
    "}\n"
    "\n"
    "/// Compare the result of each call with the next line of golden.txt.\n"
    "macro_rules! golden {\n"
    "    ($($name:literal: $call:expr;)*) => {\n"
    "        #[test]\n"
    "        fn calls_end_as_golden_txt_says() {\n"
    "            let _folder = Folder::enter();\n"
    "            let golden = include_str!(\"golden.txt\").lines();\n"
    "            let mut lines = golden.filter(|line| !line.starts_with('#'));\n"
    "            let mut wrong = String::new();\n"
    "            $(wrong += &compare(lines.next(), $name, || Some($call.map(said)));)*\n"
    "            wrong.extend(lines.map(|line| format!(\"\\nexpected {line}\\n     got "
    "nothing\")));\n"
    "            assert!(wrong.is_empty(), \"{wrong}\");\n"
    "        }\n"
    "    };\n"
    "}\n"
    "\n"
    "/// Write a result as text that can be compared: addresses of objects differ from call to "
    "call.\n"
    "fn said(result: impl Debug) -> String {\n"
    "    let text = format!(\"{result:?}\");\n"
    "    let without = |part: &str| part.trim_start_matches(|c: char| "
    "c.is_ascii_hexdigit()).to_string();\n"
    "    text.split(\"(0x\").map(without).collect()\n"
    "}\n"
    "\n"
    "/// Make a call with tensors that have this byte_offset; write its results and the elements "
    "of its tensors.\n"
    "fn outcome(call: &impl Fn() -> Option<Result<String>>, byte_offset: usize) -> String {\n"
    "    USED.with_borrow_mut(Vec::clear);\n"
    "    BYTE_OFFSET.set(byte_offset);\n"
    "    let said = match call() {\n"
    "        Some(Ok(said)) => said,\n"
    "        Some(Err(e)) => e.message().to_string(),\n"
    "        None => \"no handle\".to_string(),\n"
    "    };\n"
    "    BYTE_OFFSET.set(0);\n"
    "    let elements = |(memory, start, size): &(Arc<Tensor>, usize, usize)| {\n"
    "        // SAFETY: these bytes lie inside the memory, and the call has ended.\n"
    "        unsafe { std::slice::from_raw_parts(memory.data().cast::<u8>().add(*start), *size) "
    "}.to_vec()\n"
    "    };\n"
    "    let used: Vec<Vec<u8>> = USED.take().iter().map(elements).collect();\n"
    "    format!(\"{said} {used:?}\")\n"
    "}\n"
    "\n"
    "/// Describe the difference, if any. None stands for a call whose handle could not be made; "
    "it is skipped.\n"
    "fn compare(line: Option<&str>, name: &str, call: impl Fn() -> Option<Result<String>>) -> "
    "String {\n"
    "    let line = line.unwrap_or(\"nothing\");\n"
    "    let accepted = format!(\"{name}\\tOK\\t\");\n"
    "    let got = match call() {\n"
    "        Some(Err(e)) => format!(\"{name}\\t{}\\t{}\", e.kind().name(), e.message()),\n"
    "        Some(Ok(_)) => accepted.clone(),\n"
    "        None => line.to_string(),\n"
    "    };\n"
    "    // The function itself may refuse an accepted call, since the tensors hold zeros.\n"
    "    let hooks = got.contains(\"" BIND_CASE_HOOK "\") || got.contains(\"" BIND_CASE_HOOKED
    "\");\n"
    "    let contract = got.contains(\"" BIND_CASE_WANTED "\") && !hooks;\n"
    "    if !(got == line && got.starts_with(name) || line == accepted && !contract) {\n"
    "        return format!(\"\\nexpected {line}\\n     got {got}\");\n"
    "    }\n"
    "    if line != accepted {\n"
    "        return String::new();\n"
    "    }\n"
    "    let (plain, moved) = (outcome(&call, 0), outcome(&call, BEFORE));\n"
    "    // Calls may also differ by state or chance.\n"
    "    if moved == plain || outcome(&call, 0) != plain {\n"
    "        return String::new();\n"
    "    }\n"
    "    format!(\"\\n{name} with a byte_offset\\nexpected {plain}\\n     got {moved}\")\n"
    "}\n"
    "\n";

static const char rust_test_tensors[] =
    "/// How far before its elements the data of a tensor begins, once its byte_offset is not 0. "
    "Other bytes lie "
    "there.\n"
    "const BEFORE: usize = 64;\n"
    "\n"
    "thread_local! {\n"
    "    /// The byte_offset of the tensors of a call.\n"
    "    static BYTE_OFFSET: Cell<usize> = const { Cell::new(0) };\n"
    "    /// The memory of its tensors, and which bytes of it the elements have.\n"
    "    static USED: RefCell<Vec<(Arc<Tensor>, usize, usize)>> = const { RefCell::new(Vec::new()) "
    "};\n"
    "}\n"
    "\n"
    "/// Return zeros of the type and shape in words, \"f32[2, 3]\". \"strides 1 2\", "
    "\"read_only\", \"align 512\" "
    "and\n"
    "/// \"skew 4\" (in bytes) may follow.\n"
    "fn tensor(words: &str) -> Tensor {\n"
    "    within(None, words)\n"
    "}\n"
    "\n"
    "/// Do the same in memory that other tensors share.\n"
    "fn within(memory: Option<&Arc<Tensor>>, words: &str) -> Tensor {\n"
    "    let numbers = |word: &str| -> Vec<i64> {\n"
    "        let mut all = words.split([' ', ',', '[', ']']).filter(|w| !w.is_empty());\n"
    "        all.find(|w| *w == word);\n"
    "        all.map_while(|w| w.parse().ok()).collect()\n"
    "    };\n"
    "    let name = words.split('[').next().unwrap();\n"
    "    let dtype = DType::parse(name).unwrap();\n"
    "    let (shape, strides) = (numbers(name), numbers(\"strides\"));\n"
    "    let align = numbers(\"align\").first().map_or(1, |n| *n as usize);\n"
    "    let skew = numbers(\"skew\").first().map_or(0, |n| *n as usize);\n"
    "    let last = shape.iter().zip(&strides).map(|(n, step)| (n - 1) * step);\n"
    "    let count = match strides.is_empty() {\n"
    "        true => shape.iter().product(),\n"
    "        false => last.sum::<i64>() + 1,\n"
    "    };\n"
    "    let bits = count.max(0) as usize * usize::from(dtype.bits) * usize::from(dtype.lanes);\n"
    "    let size = bits.div_ceil(8);\n"
    "    let (memory, start) = match memory {\n"
    "        Some(memory) => (memory.clone(), memory.data().cast::<u8>().align_offset(align) + "
    "skew),\n"
    "        None => {\n"
    "            let memory = zeros(BEFORE + align + skew + size);\n"
    "            let first = memory.data().cast_mut().cast::<u8>().wrapping_add(BEFORE);\n"
    "            let start = BEFORE + first.align_offset(align) + skew;\n"
    "            // SAFETY: the memory is new and begins BEFORE bytes before `first`.\n"
    "            unsafe { memory.data().cast_mut().cast::<u8>().write_bytes(0x3d, start) };\n"
    "            USED.with_borrow_mut(|used| used.push((memory.clone(), start, size)));\n"
    "            (memory, start)\n"
    "        }\n"
    "    };\n"
    "    // SAFETY: the elements lie inside the memory, which the tensor keeps; a call with shared "
    "memory is refused, "
    "and\n"
    "    // nothing else writes.\n"
    "    let tensor = unsafe {\n"
    "        let data = memory.data().byte_add(start).cast_mut();\n"
    "        let strides = (!strides.is_empty()).then_some(&strides[..]);\n"
    "        let flags = flags::READ_ONLY * u64::from(words.contains(\"read_only\"));\n"
    "        let tensor = Tensor::wrap_raw(data, dtype, &shape, strides, Device::CPU, flags, "
    "memory).unwrap();\n"
    "        tensor.assume_own()\n"
    "    };\n"
    "    match BYTE_OFFSET.get() {\n"
    "        0 => tensor,\n"
    "        byte_offset => moved(tensor, byte_offset),\n"
    "    }\n"
    "}\n"
    "\n"
    "/// Describe a tensor again, with data that begins `byte_offset` bytes before its elements.\n"
    "fn moved(tensor: Tensor, byte_offset: usize) -> Tensor {\n"
    "    let managed = tensor.into_dlpack().unwrap().into_raw();\n"
    "    // SAFETY: the description is our own, and those bytes lie in the same memory.\n"
    "    unsafe {\n"
    "        let tensor = &mut (*managed).dl_tensor;\n"
    "        if !tensor.data.is_null() {\n"
    "            tensor.data = tensor.data.byte_sub(byte_offset);\n"
    "            tensor.byte_offset += byte_offset as u64;\n"
    "        }\n"
    "        Tensor::from_dlpack(managed).unwrap().assume_own()\n"
    "    }\n"
    "}\n"
    "\n"
    "fn zeros(bytes: usize) -> Arc<Tensor> {\n"
    "    Arc::new(Tensor::create(DType::U8, &[bytes as i64]).unwrap())\n"
    "}\n"
    "\n"
    "golden! {\n";

static const char *rust_case_call(const bind_ir *ir, const bind_case *c);

static const char *rust_case_tensor(const bind_case *c, const bind_param *p,
                                    const bind_case_tensor *tensor) {
  return bind_string("%s\"%s\")",
                     bind_case_shares(c, p, tensor) ? "within(Some(&memory), " : "tensor(",
                     bind_case_words(c, p, tensor));
}

/* What makes a handle may return other things as well. */
static const char *rust_case_handle(const bind_ir *ir, const bind_case_value *v) {
  const bind_function *f = v->maker;
  const bind_case *c = bind_maker_case(f);
  return bind_string(bind_count_results(f, c->make) == 1 ? "%s.ok()?" : "%s.ok()?.%d",
                     rust_case_call(ir, c),
                     bind_place_of_handle(f, c->make));
}

static const char *rust_case_value(const bind_ir *ir, const bind_case *c, const bind_param *p) {
  const bind_case_value *v = bind_value_of(c, p);
  const char *written = "";
  if (p->direction != BIND_IN) {
    written = "mut ";
  }
  const char *items = "";
  switch (p->type.kind) {
  case BIND_TENSOR:
    if (v->absent) {
      return "None";
    }
    if (p->kept) {
      return rust_case_tensor(c, p, v->tensor);
    }
    return bind_string(
        p->optional ? "Some(&%s%s)" : "&%s%s", written, rust_case_tensor(c, p, v->tensor));
  case BIND_LIST:
    for (int i = 0; i < v->count; i++) {
      items = bind_join(items, ", ", rust_case_tensor(c, p, &v->tensor[i]));
    }
    if (v->count) {
      return bind_string("&[%s]", items);
    }
    return "&[] as &[Tensor]";
  case BIND_ARRAY:
    if (v->count) {
      return bind_string("&[%s; %d]", v->text, v->count);
    }
    return "&[]";
  case BIND_COMPLEX:
    return bind_string("dlferry::Complex::new(%s, %s)", v->text, v->imaginary);
  case BIND_CHAR:
    return bind_string("b'%s'", v->text);
  case BIND_STRING:
    return bind_string("\"%s\"", v->text);
  case BIND_STREAM:
    return "Default::default()";
  case BIND_BOOL:
    if (v->truth) {
      return "true";
    }
    return "false";
  case BIND_HANDLE:
    return bind_string(
        "&%s%s",
        bind_when(p->type.handle->keeps || (!bind_is_const(&p->type) && !c->function->threadsafe),
                  "mut "),
        rust_case_handle(ir, v));
  case BIND_ENUM: {
    const char *type = bind_string("%s::%s", ir->name, rust_enum_name(p->type.enumeration));
    if (v->enumerator) {
      return bind_string("%s::%s", type, bind_upper(v->enumerator->label));
    }
    return bind_string("%s(%lld)", type, (long long)v->integer);
  }
  default:
    return v->text;
  }
}

/* photo::BlurOptions { sigma: 1.0 } */
static const char *rust_case_options(const bind_ir *ir, const bind_case *c) {
  const bind_function *f = c->function;
  const char *fields = "";
  BIND_EACH (const bind_param, p, f->params, f->param_count) {
    if (!rust_is_option(p)) {
      continue;
    }
    const bool absent = bind_value_of(c, p)->absent;
    const char *value = "None";
    if (!absent) {
      value = rust_case_value(ir, c, p);
    }
    if (bind_is_maybe(p) && !absent) {
      value = bind_string("Some(%s)", value);
    }
    fields = bind_join(fields, ", ", bind_string("%s: %s", rust_name(p->name), value));
  }
  return bind_string("%s::%s { %s }", ir->name, rust_options_name(f), fields);
}

/* photo::blur_into(&tensor("f32[2, 3]"), photo::BlurOptions { sigma: 1.0 }, &mut tensor("f32[2,
 * 3]")) */
static const char *rust_case_call(const bind_ir *ir, const bind_case *c) {
  const bind_function *f = c->function;
  const char *home = bind_string("%s::", ir->name);
  const char *name = rust_function_name(f);
  const char *arguments = "";
  bool options = false;
  if (f->method_of) {
    home = bind_string("%s.", rust_case_handle(ir, bind_value_of(c, f->params)));
  } else if (f->creates) {
    home = bind_string("%s%s::", home, rust_handle_name(f->creates));
  }
  if (f->new_name && !c->make) {
    name = bind_string("%s_into", name);
  } else {
    name = bind_escape(name, rust_words);
  }
  BIND_EACH (const bind_param, p, f->params, f->param_count) {
    if (f->method_of && p == f->params) {
      continue;
    }
    if (rust_is_option(p) ? options : !bind_is_passed(p, c->make)) {
      continue;
    }
    arguments = bind_join(
        arguments, ", ", rust_is_option(p) ? rust_case_options(ir, c) : rust_case_value(ir, c, p));
    options |= rust_is_option(p);
  }
  return bind_string(
      !f->sure ? "%s%s(%s)" : "Ok::<_, dlferry::Error>(%s%s(%s))", home, name, arguments);
}

void rust_emit_tests(const bind_ir *ir, bind_out *out) {
  bind_text test = {0};
  bind_text golden = {0};
  bind_first_line(&test, ir, "//", "", "rust");
  bind_raw(&test, rust_test_head, sizeof rust_test_head - 1);
  bind_raw(&test, rust_test_tensors, sizeof rust_test_tensors - 1);
  bind_begin_golden(&golden, ir, "rust");
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    if (bind_first_case(f) && test.data[test.length - 2] != '{') {
      bind_raw(&test, "\n", 1);
    }
    for (const bind_case *c = bind_first_case(f); c; c = c->next) {
      if (c->broken == BIND_BROKEN_CLOSED) {
        continue; /* a closed handle has been moved away */
      }
      const char *call = rust_case_call(ir, c);
      if (c->owner) {
        call = bind_string("{ let memory = zeros(%lld); %s }", (long long)bind_case_room(c), call);
      }
      bind_fill(&test, "    \"$name\": $call;\n", {"name", c->full_name}, {"call", call});
      bind_put_golden(&golden, c);
    }
  }
  bind_line(&test, "}");
  bind_end_golden(&golden, ir);
  bind_write(out, "rust/tests/contract.rs", &test);
  bind_write(out, "rust/tests/golden.txt", &golden);
  bind_text_free(&test);
  bind_text_free(&golden);
}
