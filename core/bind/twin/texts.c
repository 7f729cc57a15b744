/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that C gives: behind pointers, as results, in memory of the call. The caller gets a copy of
 * its own, which NAME_dlferry_free_text frees. */
#include "bind/ir/parameters.h"
#include "parts.h"
#include <string.h>

/* Tell whether C gives a pointer to a text. */
static bool texts_is_pointer(const bind_text_use *text) {
  return text && (text->kind == BIND_TEXT_BEHIND || text->kind == BIND_TEXT_RESULT ||
                  text->kind == BIND_TEXT_FAULT);
}

bool texts_needed(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (p->text) {
      return true;
    }
  }
  return f->fault;
}

bool texts_are_wide(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (p->text && (p->text->wide || p->text->mode)) {
      return true;
    }
  }
  return false;
}

bool texts_gather(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (bind_is_given_list(p)) {
      return true;
    }
  }
  return false;
}

bool texts_count(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (p->text && p->text->written) {
      return true;
    }
  }
  return false;
}

bool texts_take_lock(const bind_function *f) {
  BIND_EACH_C_PARAM (c, f) {
    if (c->text && c->text->lock) {
      return true;
    }
  }
  return false;
}

static bool texts_is_filled(const bind_text_use *text) {
  return text && text->kind == BIND_TEXT_FILLED;
}

/* Tell whether C reads a text as wchar_t. */
static bool texts_is_widened(const bind_text_use *text) {
  return text && text->wide && text->kind == BIND_TEXT_READ;
}

/* The variable for what C gives, or reads as wchar_t. */
static const char *texts_given(const bind_text_use *text) {
  return bind_string("dlf_text_%s", text->name);
}

/* A call of the function that frees what C gave, in its lock. */
static const char *texts_freeing_call(const bind_text_use *text) {
  const char *place = text->holder ? "&" : "(void *)(uintptr_t)";
  const char *call = bind_string("(void)%s(%s%s);", text->freed, place, texts_given(text));
  return give_locked(text->lock, call);
}

/* Free what C gave, if the caller of the function must; "" for a text that the library keeps. A
 * struct that C filled is cleared in any case. */
static const char *texts_freed(const bind_text_use *text) {
  if (!text->freed) {
    return "";
  }
  const char *call = texts_freeing_call(text);
  if (text->holder) {
    return bind_string("%s\n", call);
  }
  if (!text->lock) {
    return bind_string("if (%s) %s\n", texts_given(text), call);
  }
  return bind_filled("if ($given) {\n"
                     "  $call\n"
                     "}\n",
                     {"given", texts_given(text)},
                     {"call", call});
}

/* ---- before the call ---- */

/* A length that does not fit in C's integer. */
static const char *texts_too_long(const bind_function *f, const bind_c_param *length) {
  const char *above =
      platform_above(&length->type, bind_string("(int64_t)strlen(%s)", length->text->name));
  if (!*above) {
    return "";
  }
  return bind_filled(
      "if ($above)\n"
      "  return dlf_error_set(error, DLF_OVERFLOW, \"$function: $name: expected at most $most "
      "bytes, got more\");\n",
      {"above", above},
      {"function", f->short_name},
      {"name", length->text->name},
      {"most", bind_number(platform_most(&length->type))});
}

const char *texts_places(const bind_function *f) {
  bind_text t = {0};
  BIND_EACH_C_PARAM (c, f) {
    const bool pointer = texts_is_pointer(c->text) && c->text_part != BIND_TEXT_WRITTEN;
    if (pointer && c->text->holder) {
      bind_line(&t, "%s%s = {0};", c->text->holder->c, texts_given(c->text));
    } else if (pointer && c->text->kind != BIND_TEXT_RESULT) {
      bind_line(&t, "%s%s = NULL;", c->text->pointer, texts_given(c->text));
    }
    if (c->text && c->text_part == BIND_TEXT_LENGTH) {
      bind_add(&t, texts_too_long(f, c));
    }
    if (texts_is_widened(c->text)) {
      bind_line(&t, "wchar_t *%s = NULL;", texts_given(c->text));
    }
    if (texts_is_filled(c->text) && c->text_part == BIND_TEXT_ITSELF) {
      bind_line(&t, "dlferry_buffer %s = {NULL, 0, 0};", texts_given(c->text));
    }
    if (c->text && c->text_part == BIND_TEXT_WRITTEN) {
      bind_line(&t, "%sdlf_written_%s = 0;", c->type.c, c->text->name);
    }
  }
  bind_add(&t, files_places(f));
  return bind_keep(&t);
}

static const bind_c_param *texts_part(const bind_function *f, const bind_text_use *text,
                                      bind_text_part part) {
  BIND_EACH_C_PARAM (c, f) {
    if (c->text == text && c->text_part == part) {
      return c;
    }
  }
  return NULL;
}

/* The highest number of bytes that C can be told. */
static const char *texts_most(const bind_function *f, const bind_text_use *text) {
  const bind_c_param *room = texts_part(f, text, BIND_TEXT_ROOM);
  if (!room) {
    room = texts_part(f, text, BIND_TEXT_WRITTEN);
  }
  if (!room) {
    return "INT64_MAX";
  }
  return platform_highest(&room->type);
}

/* Tell whether C's integer for the size does not have the size of a first call. */
static bool texts_is_small(const bind_function *f, const bind_text_use *text) {
  BIND_EACH_C_PARAM (c, f) {
    const bool told = c->text_part == BIND_TEXT_ROOM || c->text_part == BIND_TEXT_WRITTEN;
    if (c->text == text && told && platform_most(&c->type) <= UINT8_MAX) {
      return true;
    }
  }
  return false;
}

/* How C's argument for the size of a buffer reads: the caller's number, one that the call computes,
 * or a constant. */
static const char *texts_room(const bind_function *f, const bind_text_use *text) {
  BIND_EACH_C_PARAM (c, f) {
    if (text->room && strcmp(c->name, text->room) == 0) {
      return c->derived ? bind_string("dlf_derived_%s", c->name) : text->room;
    }
  }
  if (text->room) {
    return text->room;
  }
  return texts_is_small(f, text) ? texts_most(f, text) : "DLFERRY_FIRST_ROOM";
}

const char *texts_narrowed(const bind_function *f) {
  bind_text t = {0};
  BIND_EACH_PARAM (p, f) {
    if (texts_is_widened(p->text)) {
      bind_line(&t, "free(%s);", texts_given(p->text));
    }
  }
  return bind_keep(&t);
}

/* Free the memory that C would fill, or read as wchar_t, and close files. */
const char *texts_dropped(const bind_function *f) {
  bind_text t = {0};
  bind_add(&t, texts_narrowed(f));
  bind_add(&t, files_dropped(f));
  BIND_EACH_PARAM (p, f) {
    if (p->returned && texts_is_filled(p->text)) {
      bind_line(&t, "free(%s.text);", texts_given(p->text));
    }
  }
  return bind_keep(&t);
}

/* Make what C reads as wchar_t. */
static void texts_widen(bind_text *t, const bind_function *f, const bind_param *p,
                        const char *undone) {
  bind_fill(t,
            "const dlf_status dlf_wide_$name = dlferry_widen($name, \"$where\", &$given, error);\n"
            "if (dlf_wide_$name) {\n"
            "  $undone\n"
            "  $dropped\n"
            "  return dlf_wide_$name;\n"
            "}\n",
            {"name", p->name},
            {"where", argument_where(f, p)},
            {"given", texts_given(p->text)},
            {"undone", undone},
            {"dropped", texts_dropped(f)});
}

const char *texts_opened(const bind_function *f, const char *undone) {
  bind_text t = {0};
  BIND_EACH_PARAM (p, f) {
    if (texts_is_widened(p->text)) {
      texts_widen(&t, f, p, undone);
    }
    if (!texts_is_filled(p->text) || !p->returned) {
      continue;
    }
    bind_fill(&t,
              "if (!dlferry_open_buffer(&$given, (uint64_t)$room)) {\n"
              "  $undone\n"
              "  $dropped\n"
              "  return dlferry_no_buffer(\"$where\", (uint64_t)$room, error);\n"
              "}\n",
              {"given", texts_given(p->text)},
              {"room", texts_room(f, p->text)},
              {"undone", undone},
              {"dropped", texts_dropped(f)},
              {"where", argument_where(f, p)});
  }
  bind_add(&t, files_opened(f, bind_string("%s%s", undone, texts_dropped(f))));
  return bind_keep(&t);
}

/* ---- the call ---- */

/* The length that C reports, and its type. */
static const char *texts_reported(const bind_function *f, const bind_text_use *text,
                                  const bind_type **type) {
  const bind_c_param *place = texts_part(f, text, BIND_TEXT_WRITTEN);
  if (place) {
    *type = &place->type;
    return bind_string("dlf_written_%s", text->name);
  }
  *type = &f->result;
  return "dlf_count_of_call";
}

static const char *texts_below(const bind_type *type, const char *value) {
  if (type->scalar >= BIND_U8) {
    return "false";
  }
  return bind_string("%s < 0", value);
}

/* Places from which C reads how much memory there is, before each call. */
static const char *texts_told(const bind_function *f) {
  bind_text t = {0};
  BIND_EACH_C_PARAM (c, f) {
    if (texts_is_filled(c->text) && c->text_part == BIND_TEXT_WRITTEN) {
      bind_line(&t,
                "dlf_written_%s = %s%s.room;",
                c->text->name,
                bind_cast_to(c->type.c),
                texts_given(c->text));
    }
  }
  return bind_keep(&t);
}

/* The buffer for which a call is made again, or NULL. */
static const bind_text_use *texts_grown(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (p->returned && texts_is_filled(p->text) && p->text->grown) {
      return p->text;
    }
  }
  return NULL;
}

const char *texts_call(const bind_function *f, const char *received, const char *kernel) {
  const bind_text_use *text = texts_grown(f);
  if (!text) {
    return bind_string("%s%s%s;\n", texts_told(f), received, kernel);
  }
  const char *variable = "";
  const char *failed = "false";
  if (f->returns == BIND_RETURN_STATUS) {
    variable = "dlf_code";
    failed = hooks_failed(f);
  } else if (f->returns == BIND_RETURN_COUNT) {
    variable = "dlf_count_of_call";
  } else if (f->returns == BIND_RETURN_VALUE) {
    variable = "dlf_value_of_call";
    failed = f->from ? hooks_failed(f) : failed;
  }
  const bind_type *type;
  const char *reported = texts_reported(f, text, &type);
  return bind_filled(
      "$declared\n"
      "do {\n"
      "  $told\n"
      "  $received$kernel;\n"
      "} while (dlferry_grow(&$given, $below, (uint64_t)$reported, $failed, $most));\n",
      {"declared",
       bind_when(
           *variable,
           bind_string("%s%s;", f->result.structure ? f->result.own : f->result.c, variable))},
      {"told", texts_told(f)},
      {"received", bind_when(*variable, bind_string("%s = ", variable))},
      {"kernel", kernel},
      {"given", texts_given(text)},
      {"below", texts_below(type, reported)},
      {"reported", reported},
      {"failed", failed},
      {"most", texts_most(f, text)});
}

const char *texts_received(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (p->text && p->text->kind == BIND_TEXT_RESULT) {
      return bind_string("%s%s = ", p->text->pointer, texts_given(p->text));
    }
  }
  return "";
}

const char *texts_argument(const bind_c_param *c) {
  const bind_text_use *text = c->text;
  const char *cast = bind_cast_to(c->text_part == BIND_TEXT_ITSELF ? text->pointer : c->type.c);
  switch (c->text_part) {
  case BIND_TEXT_ROOM:
    return bind_string("%s%s.room", cast, texts_given(text));
  case BIND_TEXT_WRITTEN:
    return bind_string("&dlf_written_%s", text->name);
  case BIND_TEXT_LENGTH:
    return bind_string("%sstrlen(%s)", cast, text->name);
  default:
    break;
  }
  switch (text->kind) {
  case BIND_TEXT_RESULT:
    return "";
  case BIND_TEXT_FILLED:
    return bind_string("%s%s.text", cast, texts_given(text));
  case BIND_TEXT_SIZED:
    return bind_string("%s%s", cast, text->name);
  case BIND_TEXT_READ:
  case BIND_TEXT_LIST:
    if (text->wide) {
      return texts_given(text);
    }
    return bind_string("%s(uintptr_t)%s", cast, text->name);
  case BIND_TEXT_FILE:
    return files_argument(text);
  default:
    return bind_string("&%s", texts_given(text));
  }
}

/* ---- after it ---- */

const char *texts_forgotten(const bind_function *f) {
  bind_text t = {0};
  BIND_EACH_PARAM (p, f) {
    if (p->returned && texts_is_pointer(p->text)) {
      bind_add(&t, texts_freed(p->text));
    }
  }
  bind_add(&t, texts_dropped(f));
  return bind_keep(&t);
}

const char *texts_fault(const bind_function *f) {
  return bind_string("(const char *)%s", texts_given(f->fault));
}

const char *texts_fault_freed(const bind_function *f) {
  if (!f->fault) {
    return "";
  }
  return texts_freed(f->fault);
}

/* What the function says if there is no text; NULL if it may be absent. */
static const char *texts_missing(const bind_function *f, const bind_param *p) {
  if (p->optional || p->text->or_none) {
    return "NULL";
  }
  if (p->text->kind == BIND_TEXT_RESULT) {
    return bind_string("\"%s: kernel returned NULL, expected text\"", f->short_name);
  }
  return bind_string("\"%s: kernel gave NULL, expected text\"", argument_where(f, p));
}

/* The text in a buffer: its length is what C reports, at most, or where the NUL is. */
static const char *texts_taken_from_buffer(const bind_function *f, const bind_param *p) {
  const bind_type *type;
  const char *reported = texts_reported(f, p->text, &type);
  const bind_field *fields = bind_fields({"given", texts_given(p->text)},
                                         {"where", argument_where(f, p)},
                                         {"function", f->short_name},
                                         {"name", p->name},
                                         {"written", bind_or(p->text->written, "")},
                                         {"reported", reported},
                                         {"below", texts_below(type, reported)});
  if (!p->text->written) {
    return bind_filled_template("dlf_verdict = dlferry_take_filled(dlf_verdict, &$given, "
                                "\"$where\", $name, error);\n",
                                fields);
  }
  return bind_filled_template(
      "if (!dlf_verdict && $given.text)\n"
      "  dlf_verdict = dlferry_count(\"$function: kernel reported\", (uint64_t)$reported, $below, "
      "\"$written\", (int64_t)$given.room, error);\n"
      "dlf_verdict = dlferry_take_written(dlf_verdict, &$given, (uint64_t)$reported, \"$where\", "
      "$name, error);\n",
      fields);
}

/* Where the characters are that C gave. */
static const char *texts_characters(const bind_text_use *text) {
  if (text->holder) {
    return bind_string("%s.%s", texts_given(text), text->holder->text);
  }
  return texts_given(text);
}

/* How many texts a list has, as C says: "true, (int64_t)dlf_written_names"; or up to a NULL. */
static const char *texts_number(const bind_text_use *text) {
  if (!text->counted) {
    return "false, 0";
  }
  if (text->holder) {
    return bind_string("true, (int64_t)%s.%s", texts_given(text), text->counted);
  }
  return bind_string("true, (int64_t)dlf_written_%s", text->name);
}

static const char *texts_list_taken(const bind_function *f, const bind_param *p) {
  return bind_filled("dlf_verdict = dlferry_take_texts(dlf_verdict, $missing, (const char *const "
                     "*)$given, $number, \"$where\", $name, error);\n"
                     "$freed\n",
                     {"missing", texts_missing(f, p)},
                     {"given", texts_characters(p->text)},
                     {"number", texts_number(p->text)},
                     {"where", argument_where(f, p)},
                     {"name", p->name},
                     {"freed", texts_freed(p->text)});
}

const char *texts_taken(const bind_function *f, const bind_param *p) {
  if (texts_is_filled(p->text)) {
    return texts_taken_from_buffer(f, p);
  }
  if (bind_is_given_list(p)) {
    return texts_list_taken(f, p);
  }
  return bind_filled(
      "dlf_verdict = dlferry_take_$kind(dlf_verdict, $missing, (const $char *)$given, "
      "\"$where\", $name, error);\n"
      "$freed\n",
      {"kind", p->text->wide ? "wide" : "text"},
      {"char", p->text->wide ? "wchar_t" : "char"},
      {"missing", texts_missing(f, p)},
      {"given", texts_characters(p->text)},
      {"where", argument_where(f, p)},
      {"name", p->name},
      {"freed", texts_freed(p->text)});
}
