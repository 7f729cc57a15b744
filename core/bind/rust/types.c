/* SPDX-License-Identifier: Apache-2.0 */
/* The Rust emitter's names and types: enums as integers with constants, options with defaults,
 * handles. */
#include "bind/base/escape.h"
#include "bind/base/template.h"
#include "bind/c/scalar.h"
#include "bind/emit/query.h"
#include "rust.h"
#include <string.h>

#define RUST_KEYWORDS                                                                              \
  "abstract as async await become box break const continue crate do dyn else enum extern false "   \
  "final fn for gen if "                                                                           \
  "impl in let loop macro match mod move mut override priv pub ref return self static struct "     \
  "super trait true try "                                                                          \
  "type typeof union unsafe unsized use virtual where while yield "

/* Keywords, and names that emitted functions use. */
const char rust_words[] = RUST_KEYWORDS "error given options result slot arg ffi dlferry std";

bool rust_is_crate(const char *name) {
  return !bind_word_in(name, RUST_KEYWORDS "alloc core dlferry dlferry_sys std");
}

/* The types that emitted functions name. */
static const char rust_types[] =
    "Arg ArgMut Given LocalTensor Object List Slot Terminated Text Texts Result Tensor "
    "Unshared Option Some None Ok Err Into From Default Self String";

const char *rust_name(const char *name) {
  return bind_escape(bind_snake(name), rust_words);
}

const char *rust_enum_name(const bind_enum *e) {
  return bind_escape(bind_pascal(e->short_name), rust_types);
}

const char *rust_handle_name(const bind_handle *h) {
  return bind_escape(bind_pascal(h->short_name), rust_types);
}

const char *rust_struct_name(const bind_struct *s) {
  return bind_escape(bind_pascal(s->short_name), rust_types);
}

const char *rust_layout_name(const bind_struct *s) {
  return bind_sized(s->layout, strlen(s->layout) - 1);
}

const char *rust_c_type(const bind_type *type) {
  switch (type->kind) {
  case BIND_STRUCT:
    return rust_layout_name(type->structure);
  case BIND_TENSOR:
    return "dlf_arg";
  case BIND_GIVEN:
    return "*mut *mut DLManagedTensorVersioned";
  case BIND_BOOL:
    return "bool";
  case BIND_COMPLEX:
    if (type->scalar == BIND_C64) {
      return "dlferry::Complex<f32>";
    }
    return "dlferry::Complex<f64>";
  case BIND_CHAR:
    return "std::ffi::c_char";
  case BIND_STRING:
    return "*const c_char";
  case BIND_STREAM:
    return "dlf_stream";
  case BIND_HANDLE:
    return bind_string("*%s %s", bind_is_const(type) ? "const" : "mut", type->handle->name);
  case BIND_ARRAY:
    if (type->handle) {
      return bind_string("*mut %s", type->handle->name);
    }
    return bind_scalar_name(type->scalar);
  default:
    return bind_scalar_name(type->scalar);
  }
}

int rust_count_options(const bind_function *f) {
  int count = 0;
  BIND_EACH_PARAM (p, f) {
    count += bind_is_option(p);
  }
  return count;
}

static bool rust_has_text_option(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (bind_is_option(p) && p->type.kind == BIND_STRING) {
      return true;
    }
  }
  return false;
}

const char *rust_options_type(const bind_function *f, const char *lifetime) {
  const char *name = bind_options_name(f);
  if (rust_has_text_option(f)) {
    return bind_string("%s<%s>", name, lifetime);
  }
  return name;
}

const char *rust_argument_type(const bind_type *type, const char *lifetime) {
  switch (type->kind) {
  case BIND_TENSOR:
  case BIND_GIVEN:
    return "";
  case BIND_STRING:
    return bind_string("&%sstr", lifetime);
  case BIND_CHAR:
    return "u8";
  case BIND_STREAM:
    return "dlferry::Stream";
  case BIND_ENUM:
    return rust_enum_name(type->enumeration);
  case BIND_ARRAY:
    return bind_string("&[%s]", bind_scalar_name(type->scalar));
  case BIND_LIST:
    return "&[impl Arg]";
  case BIND_STRUCT:
    return bind_string("&%s", rust_struct_name(type->structure));
  case BIND_HANDLE:
    return bind_string(
        "&%s%s", bind_when(!bind_is_const(type), "mut "), rust_handle_name(type->handle));
  default:
    return rust_c_type(type);
  }
}

static const char *rust_default(const bind_default *d, const bind_type *type) {
  if (type->kind == BIND_STREAM) {
    return "dlferry::Stream::default()";
  }
  const char *all = "";
  switch (d->kind) {
  case BIND_DEFAULT_BOOL:
    return bind_truth(d->truth);
  case BIND_DEFAULT_ENUMERATOR:
    for (; d; d = d->next) {
      all = bind_join(all,
                      " | ",
                      bind_string("%s::%s",
                                  rust_enum_name(type->enumeration),
                                  bind_upper(d->enumerator->label)));
    }
    return all;
  case BIND_DEFAULT_STRING:
    return bind_string("\"%s\"", d->text);
  case BIND_DEFAULT_CHARACTER:
    return bind_string("b'%s'", d->text);
  case BIND_DEFAULT_COMPLEX:
    return bind_string("dlferry::Complex::new(%s, %s)", d->text, d->imaginary);
  case BIND_NO_DEFAULT:
    return "None";
  default:
    return d->text;
  }
}

/* Return what a parameter's documentation says: the author's text, the contract in words and as it
 * is written, the constraints on it, its default. */
const char *rust_about(const bind_param *p) {
  const char *parts[] = {
      p->doc,
      bind_when(*p->contract, bind_string("%s: `%s`", p->words, p->contract)),
      bind_when(*p->limits, bind_string("`%s`", p->limits_words)),
      bind_is_option(p) ? bind_string("default `%s`", rust_default(&p->def, &p->type)) : "",
      bind_when(p->type.kind == BIND_TENSOR && p->optional, "may be `None`")};
  const char *text = "";
  for (int i = 0; i < 5; i++) {
    text = bind_join(text, "; ", parts[i]);
  }
  return text;
}

const char *rust_function_name(const bind_function *f) {
  return bind_snake(bind_home(f) ? f->method_name : f->short_name);
}

const char *rust_home(const bind_function *f) {
  if (bind_home(f)) {
    return bind_string("%s::", rust_handle_name(bind_home(f)));
  }
  return "";
}

const char *rust_path(const bind_function *f) {
  return bind_string("%s%s", rust_home(f), bind_escape(rust_function_name(f), rust_words));
}

/* ---- enums, handles and options ---- */

const char *rust_doc(const char *lead, const char *doc) {
  bind_text t = {0};
  bind_put_doc(&t, BIND_DOC_LINE, lead, doc);
  return bind_keep(&t);
}

const char *rust_docs(const char *summary, const char *instead, const char *description) {
  if (!*summary) {
    summary = instead;
  }
  return rust_doc("/// ", *description ? bind_string("%s\n\n%s", summary, description) : summary);
}

/* Return an attribute with the name of an item in C, unless that is its name in Rust. */
static const char *rust_alias(const char *c, const char *name) {
  /* rustdoc refuses the item's own name */
  return bind_when(strcmp(c, name), bind_string("#[doc(alias = \"%s\")]", c));
}

const char *rust_aliases(const bind_function *f, const char *name) {
  const char *all = "";
  for (int i = 0; i < f->member_count; i++) {
    all = bind_join(all, "\n", rust_alias(f->members[i].function->name, name));
  }
  if (f->member_count) {
    return all;
  }
  return rust_alias(f->name, name);
}

static const char rust_enum[] =
    "\n"
    "$docs\n"
    "///\n"
    "/// This is an integer, since C may return a value that this version does not name.\n"
    "$alias\n"
    "#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\n"
    "#[repr(transparent)]\n"
    "pub struct $name(pub $scalar);\n"
    "\n"
    "impl $name {\n"
    "    $values\n"
    "}\n";

static const char rust_flags[] = "\n"
                                 "impl std::ops::BitOr for $name {\n"
                                 "    type Output = $name;\n"
                                 "\n"
                                 "    fn bitor(self, other: $name) -> $name {\n"
                                 "        $name(self.0 | other.0)\n"
                                 "    }\n"
                                 "}\n";

void rust_put_enum(bind_text *t, const bind_enum *e) {
  const char *name = rust_enum_name(e);
  bind_text values = {0};
  BIND_EACH (const bind_enumerator, v, e->values, e->count) {
    bind_fill(&values,
              "$docs\n"
              "$alias\n"
              "pub const $value: $name = $name($number);\n",
              {"docs", rust_docs(v->doc, bind_string("`%s`", v->name), "")},
              {"value", bind_upper(v->label)},
              {"alias", rust_alias(v->name, bind_upper(v->label))},
              {"name", name},
              {"number", bind_number(v->value)});
  }
  bind_fill(t,
            rust_enum,
            {"docs", rust_docs(e->summary, bind_string("The enum `%s`.", e->name), e->description)},
            {"alias", rust_alias(e->name, name)},
            {"name", name},
            {"scalar", bind_scalar_name(e->scalar)},
            {"values", bind_keep(&values)});
  if (e->flags) {
    bind_fill(t, rust_flags, {"name", name});
  }
}

static const char rust_freed[] =
    "It is freed when it, all objects made from it and all tensors that it lends are dropped.";
static const char rust_unowned[] =
    "C frees it with the object that lent it, which this keeps, or never.";

static const char rust_handle[] =
    "\n"
    "$docs\n"
    "///\n"
    "/// $life It is neither `Send`\n"
    "/// nor `Sync`, since the header does not say that C allows other threads.\n"
    "$alias\n"
    "$free_alias\n"
    "#[derive(Debug)]\n"
    "pub struct $name(Object<ffi::$c>);\n";

/* Elements that C keeps are reached through the handle alone, so that no call of C meets a
 * reference to them. */
static const char rust_keeper[] =
    "\n"
    "impl $name {\n"
    "    /// Read the elements of a tensor that C keeps, by the name of the parameter that took it "
    "last.\n"
    "    ///\n"
    "    /// # Errors\n"
    "    /// Fails if there is none of this name, its dtype is another, or this object has "
    "relatives: it was made from\n"
    "    /// another, others were made from it, or it lends a tensor. C may use what it keeps in "
    "their calls.\n"
    "    pub fn kept<T: dlferry::Element>(&self, name: &str) -> Result<dlferry::Elements<'_, T>> "
    "{\n"
    "        self.0.kept(name)\n"
    "    }\n"
    "\n"
    "    /// Read and write the elements of a tensor that C keeps. Otherwise like `kept`.\n"
    "    ///\n"
    "    /// # Errors\n"
    "    /// Those of `kept`; fails if the tensor is read-only.\n"
    "    pub fn kept_mut<T: dlferry::Element>(&mut self, name: &str) -> "
    "Result<dlferry::ElementsMut<'_, T>> {\n"
    "        self.0.kept_mut(name)\n"
    "    }\n"
    "\n"
    "    /// Read and write the elements of a tensor that C keeps, also if this object has "
    "relatives.\n"
    "    ///\n"
    "    /// # Safety\n"
    "    /// While the result lives, no other code uses the elements, such as C in a call with one "
    "of the relatives.\n"
    "    ///\n"
    "    /// # Errors\n"
    "    /// Fails if there is none of this name, its dtype is another, or it is read-only.\n"
    "    pub unsafe fn kept_mut_unchecked<T: dlferry::Element>(\n"
    "        &mut self,\n"
    "        name: &str,\n"
    "    ) -> Result<dlferry::ElementsMut<'_, T>> {\n"
    "        // SAFETY: the caller promises it.\n"
    "        unsafe { self.0.kept_mut_unchecked(name) }\n"
    "    }\n"
    "}\n";

void rust_put_handle(bind_text *t, const bind_handle *h) {
  const char *name = rust_handle_name(h);
  bind_fill(t,
            rust_handle,
            {"docs", rust_docs(h->summary, bind_string("A `%s`.", h->name), h->description)},
            {"alias", rust_alias(h->name, name)},
            {"free_alias", bind_when(h->free_name, rust_alias(bind_or(h->free_name, ""), name))},
            {"life", h->free_name ? rust_freed : rust_unowned},
            {"name", name},
            {"c", h->name});
  if (h->keeps) {
    bind_fill(t, rust_keeper, {"name", name});
  }
}

static const char rust_options[] =
    "\n"
    "/// The optional parameters of [`$path`], with the defaults of the C header.\n"
    "#[derive(Clone, Copy, Debug, PartialEq)]\n"
    "pub struct $name$life {\n"
    "    $fields\n"
    "}\n"
    "\n"
    "impl Default for $name$any {\n"
    "    fn default() -> Self {\n"
    "        $name {\n"
    "            $defaults\n"
    "        }\n"
    "    }\n"
    "}\n";

static const char rust_first_option[] = "\n"
                                        "impl$life From<$type> for $name$life {\n"
                                        "    fn from($field: $type) -> Self {\n"
                                        "        $name { $field$others }\n"
                                        "    }\n"
                                        "}\n";

void rust_put_options(bind_text *t, const bind_function *f) {
  const bool text = rust_has_text_option(f);
  const char *name = bind_options_name(f);
  const char *life = bind_when(text, "<'a>");
  const char *first = "";
  const char *first_type = "";
  bind_text fields = {0};
  bind_text defaults = {0};
  BIND_EACH_PARAM (p, f) {
    if (!bind_is_option(p)) {
      continue;
    }
    const char *field = rust_name(p->name);
    const char *type = rust_argument_type(&p->type, "'a ");
    if (bind_is_optional_value(p)) {
      type = bind_string("Option<%s>", type);
    }
    bind_line(&fields, "%spub %s: %s,", rust_doc("/// ", rust_about(p)), field, type);
    bind_line(&defaults, "%s: %s,", field, rust_default(&p->def, &p->type));
    if (!*first) {
      first = field;
      first_type = type;
    }
  }
  bind_fill(t,
            rust_options,
            {"path", rust_path(f)},
            {"name", name},
            {"life", life},
            {"any", bind_when(text, "<'_>")},
            {"fields", bind_keep(&fields)},
            {"defaults", bind_keep(&defaults)});
  bind_fill(t,
            rust_first_option,
            {"name", name},
            {"life", life},
            {"field", first},
            {"others", bind_when(rust_count_options(f) > 1, ", ..Default::default()")},
            {"type", first_type});
}
