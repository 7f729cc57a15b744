/* SPDX-License-Identifier: Apache-2.0 */
/* Read doc comments: remove the marks, follow Doxygen's commands, keep the rest as paragraphs. */
#include "doc.h"
#include "bind/base/names.h"
#include <string.h>

/* Remove the indentation that all lines except the first share. */
static char *doc_dedent(char *text) {
  size_t shared = SIZE_MAX;
  char *first_end = text + strcspn(text, "\n");
  char *to = first_end;
  for (const char *line = first_end; *line; line += strcspn(line, "\n")) {
    size_t indent = strspn(++line, " ");
    if (line[indent] && line[indent] != '\n' && indent < shared) {
      shared = indent;
    }
  }
  for (const char *line = first_end; *line;) {
    *to++ = *line++; /* the newline */
    size_t indent = strspn(line, " ");
    size_t size = strcspn(line, "\n");
    size_t cut = shared;
    if (indent < shared) {
      cut = indent;
    }
    memmove(to, line + cut, size - cut);
    to += size - cut;
    line += size;
  }
  *to = 0;
  return text;
}

/* Remove blanks at the end of a line. */
static void doc_end_line(bind_text *text) {
  while (text->length && text->data[text->length - 1] == ' ') {
    text->data[--text->length] = 0;
  }
  bind_add(text, "\n");
}

static unsigned doc_decode(const char *text, size_t *size) {
  const unsigned char *c = (const unsigned char *)text;
  if (c[0] < 0x80) {
    *size = 1;
  } else if (c[0] < 0xE0) {
    *size = 2;
  } else if (c[0] < 0xF0) {
    *size = 3;
  } else {
    *size = 4;
  }
  unsigned code = c[0];
  if (*size > 1) {
    code &= 0x3Fu >> (*size - 1);
  }
  for (size_t i = 1; i < *size; i++) {
    code = code << 6 | (c[i] & 0x3Fu);
  }
  return code;
}

/* What stands in a doc instead of a character; NULL for the character itself. Control characters
 * and those that turn the direction of text go. */
static const char *doc_instead(unsigned code) {
  static const struct {
    unsigned first, last;
    const char *instead;
  } ranges[] = {{'\t', '\t', "  "},
                {0, 0x1F, ""},
                {0x7F, 0x9F, ""},
                {0xA0, 0xA0, " "},
                {0x1680, 0x1680, " "},
                {0x2000, 0x200A, " "},
                {0x2028, 0x202E, ""},
                {0x202F, 0x202F, " "},
                {0x205F, 0x205F, " "},
                {0x2066, 0x2069, ""},
                {0x3000, 0x3000, " "},
                {0xFEFF, 0xFEFF, ""}};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
    if (code >= ranges[i].first && code <= ranges[i].last) {
      return ranges[i].instead;
    }
  }
  return NULL;
}

/* The rest of one line of a comment. */
typedef struct doc_line {
  const char *at;
  size_t size;
} doc_line;

static void doc_drop(doc_line *line, size_t size) {
  line->at += size;
  line->size -= size;
}

static void doc_drop_all(doc_line *line, const char *characters) {
  while (line->size && strchr(characters, *line->at)) {
    doc_drop(line, 1);
  }
}

/* Drop what opens a comment: "/" and "*", "//!", "///<". False if none opens here. */
static bool doc_drop_opening(doc_line *line, bool *block) {
  if (line->size < 2 || line->at[0] != '/' || (line->at[1] != '*' && line->at[1] != '/')) {
    return false;
  }
  *block = line->at[1] == '*';
  doc_drop(line, 2);
  doc_drop_all(line, "*/!");
  if (line->size && *line->at == '<') {
    doc_drop(line, 1);
  }
  return true;
}

/* Drop the star at the start of a line; a word in stars keeps all but one. */
static void doc_drop_border(doc_line *line) {
  const size_t stars = strspn(line->at, "*");
  if (line->at[stars] == '/') { /* the end */
    return;
  }
  if (strchr(" \t\r\n", line->at[stars])) {
    doc_drop(line, stars);
  } else {
    doc_drop(line, 1);
  }
}

static void doc_drop_end(doc_line *line) {
  if (line->size < 2 || !bind_begins(line->at + line->size - 2, "*/")) {
    return;
  }
  line->size -= 2;
  while (line->size && strchr(" \t*", line->at[line->size - 1])) {
    line->size--;
  }
}

static void doc_put_line(bind_text *out, doc_line line) {
  size_t taken;
  for (size_t i = 0; i < line.size; i += taken) {
    const char *instead = doc_instead(doc_decode(line.at + i, &taken));
    if (instead) {
      bind_add(out, instead);
    } else {
      bind_raw(out, line.at + i, taken);
    }
  }
  doc_end_line(out);
}

static char *doc_unmark(const char *comment) {
  bind_text out = {0};
  bool block = bind_begins(comment, "/*");
  for (const char *next = comment; *next;) {
    doc_line line = {next, strcspn(next, "\n")};
    next += line.size;
    if (*next) {
      next++;
    }
    doc_drop_all(&line, " \t");
    if (!doc_drop_opening(&line, &block) && block && line.size && *line.at == '*') {
      doc_drop_border(&line);
    }
    if (block) {
      doc_drop_end(&line);
    }
    if (line.size && *line.at == ' ') {
      doc_drop(&line, 1);
    }
    doc_put_line(&out, line);
  }
  return doc_dedent(bind_keep(&out));
}

/* ---- commands ---- */

/* The word behind the mark of a command: "param". */
static const char *doc_verb(const char *mark) {
  return bind_sized(mark + 1, strspn(mark + 1, "abcdefghijklmnopqrstuvwxyz"));
}

/* "@p sigma" and similar commands become `sigma`; other commands lose their mark. */
static const char *doc_inline(const char *text) {
  bind_text out = {0};
  for (const char *p = text; *p;) {
    bool mark = (*p == '@' || *p == '\\') && (p == text || strchr(" \n(", p[-1]));
    const char *verb = "";
    if (mark) {
      verb = doc_verb(p);
    }
    const char *behind = p + 1 + strlen(verb);
    const char *word = behind + strspn(behind, " ");
    size_t length = strcspn(word, " \n,;()");
    if (length && strchr(".:", word[length - 1])) {
      length--;
    }
    if (length && bind_word_in(verb, "p c a e ref em b")) {
      bind_add(&out, "`");
      bind_raw(&out, word, length);
      bind_add(&out, "`");
      p = word + length;
    } else if (bind_word_in(verb, "code endcode verbatim endverbatim")) {
      bind_add(&out, "```");
      bind_add(&out, bind_when(!bind_begins(verb, "end"), "text"));
      p = behind;
      if (*p == '{') {
        /* @code{.c} */
        p += strcspn(p, "}\n");
        p += *p == '}';
      }
    } else if (bind_word_in(
                   verb,
                   "note warning see sa since remark remarks attention pre post invariant todo "
                   "bug throws throw exception version")) {
      const char *said = verb;
      if (strcmp(verb, "sa") == 0) {
        said = "see";
      } else if (bind_begins(verb, "throw")) {
        said = "throws";
      }
      bind_put(&out, "%c%s:", said[0] - 'a' + 'A', said + 1);
      p = behind;
    } else if (strcmp(verb, "li") == 0) {
      bind_add(&out, "-");
      p = behind;
    } else if (bind_word_in(verb, "par n paragraph")) {
      if (strcmp(verb, "n") == 0) {
        doc_end_line(&out);
      }
      p = behind + (*behind == ' ');
    } else {
      bind_raw(&out, p, 1);
      p++;
    }
  }
  return bind_keep(&out);
}

/* Join the text to one paragraph: newlines and runs of blanks become one blank. */
static char *doc_flow(const char *text) {
  char *out = bind_alloc(strlen(text) + 1, 1);
  size_t length = 0;
  for (const char *p = text; *p; p++) {
    if (*p != ' ' && *p != '\n') {
      out[length++] = *p;
    } else if (length && out[length - 1] != ' ') {
      out[length++] = ' ';
    }
  }
  while (length && out[length - 1] == ' ') {
    length--;
  }
  out[length] = 0;
  return out;
}

/* ---- sections ---- */

typedef enum doc_section {
  DOC_BODY,
  DOC_PARAM, /* the last one */
  DOC_RETURNS,
  DOC_CONTRACT,
  DOC_DEPRECATED,
  DOC_DROPPED
} doc_section;

static const struct {
  const char *verbs;
  doc_section section;
} doc_sections[] = {
    {"return returns result retval", DOC_RETURNS},
    {"contract", DOC_CONTRACT},
    {"deprecated", DOC_DEPRECATED},
    {"brief short details", DOC_BODY},
    {"file ingroup defgroup addtogroup name author authors date copyright internal fn struct union "
     "enum typedef var def relates memberof headerfile if ifnot else elseif endif cond endcond",
     DOC_DROPPED},
};

/* The sections read so far. */
typedef struct doc_reader {
  doc_comment *out;
  bind_text texts[DOC_DROPPED];
  int param_capacity;
} doc_reader;

static void doc_end_param(doc_reader *r) {
  if (r->out->param_count) {
    r->out->params[r->out->param_count - 1].text = bind_keep(&r->texts[DOC_PARAM]);
  }
}

static void doc_add_param(doc_reader *r, const char *way, const char *name, size_t size) {
  doc_comment *out = r->out;
  doc_end_param(r);
  BIND_ADD(out->params,
           out->param_count,
           r->param_capacity,
           (doc_param){bind_sized(name, size), "", way, name[size] == ','});
}

/* Return the section of a line and set *line to its text; without a command the section stays. */
static doc_section doc_begin(doc_reader *r, doc_section now, const char **line) {
  const char *p = *line + strspn(*line, " ");
  if (*p != '@' && *p != '\\') {
    return now;
  }
  const char *verb = doc_verb(p);
  const char *rest = p + 1 + strlen(verb);
  const char *way = "";
  if (*rest == '[') {
    /* @param[in] */
    size_t size_of_way = strcspn(rest, "]");
    size_of_way += rest[size_of_way] == ']';
    way = bind_sized(rest, size_of_way);
    rest += size_of_way;
  }
  rest += strspn(rest, " ");
  if (bind_word_in(verb, "param tparam")) {
    for (size_t length;; rest += length + 1) {
      length = strcspn(rest, " ,\n");
      doc_add_param(r, way, rest, length);
      if (rest[length] != ',') {
        *line = rest + length;
        break;
      }
    }
    return DOC_PARAM;
  }
  for (size_t i = 0; i < sizeof doc_sections / sizeof *doc_sections; i++) {
    if (bind_word_in(verb, doc_sections[i].verbs)) {
      *line = rest;
      return doc_sections[i].section;
    }
  }
  return DOC_BODY;
}

/* "Add. @param a the one @return the sum": sections begin within lines too. */
static char *doc_break_lines(char *text) {
  bool code = false;
  for (char *p = text; (p = strpbrk(p, "@\\")); p++) {
    const char *verb = doc_verb(p);
    if (bind_word_in(verb, "code verbatim")) {
      code = true;
    }
    if (bind_word_in(verb, "endcode endverbatim")) {
      code = false;
    }
    if (!code && p > text && p[-1] == ' ' &&
        bind_word_in(verb, "param tparam return returns result retval contract deprecated")) {
      p[-1] = '\n';
    }
  }
  return text;
}

/* The summary is the first sentence, up to a full stop before a blank, or the first paragraph. */
static void doc_split(const char *body, doc_comment *out) {
  body += strspn(body, "\n ");
  const char *end = strstr(body, "\n\n");
  const char *stop = end;
  if (!end) {
    stop = body + strlen(body);
  }
  for (const char *p = body; p < stop; p++) {
    if (*p == '.' && (p[1] == ' ' || p[1] == '\n' || !p[1]) &&
        !(p - body > 3 && bind_begins(p - 3, "e.g")) &&
        !(p - body > 3 && bind_begins(p - 3, "i.e"))) {
      stop = p + 1;
      break;
    }
  }
  out->summary = doc_flow(bind_sized(body, (size_t)(stop - body)));
  while (*stop == ' ' || *stop == '\n') {
    stop++;
  }
  char *rest = bind_string("%s", stop);
  size_t size = strlen(rest);
  while (size && (rest[size - 1] == '\n' || rest[size - 1] == ' ')) {
    rest[--size] = 0;
  }
  out->description = rest;
}

void doc_read(const char *comment, doc_comment *out) {
  doc_reader r = {.out = out};
  doc_section section = DOC_BODY;
  *out = (doc_comment){"", "", "", NULL, "", NULL, 0};
  if (!comment) {
    return;
  }
  for (char *line = doc_break_lines(doc_unmark(comment)), *next; *line; line = next) {
    size_t size = strcspn(line, "\n");
    next = line + size + (line[size] == '\n');
    line[size] = 0;
    const char *text = line;
    bool command = strchr("@\\", line[strspn(line, " ")]) && line[strspn(line, " ")];
    section = doc_begin(&r, section, &text);
    if (!*line) {
      section = DOC_BODY;
    }
    if (section == DOC_DROPPED) {
      section = DOC_BODY;
      continue;
    }
    if (section == DOC_DEPRECATED) {
      out->deprecated = "";
    }
    const char *between = " ";
    if (section == DOC_BODY) {
      between = "\n";
    } else if (command && (section == DOC_RETURNS || section == DOC_CONTRACT)) {
      between = "; ";
    }
    bind_append(&r.texts[section], between, text);
  }
  doc_end_param(&r);
  out->contract = bind_keep(&r.texts[DOC_CONTRACT]);
  doc_split(doc_inline(bind_keep(&r.texts[DOC_BODY])), out);
  out->returns = doc_flow(doc_inline(bind_keep(&r.texts[DOC_RETURNS])));
  const char *deprecated = doc_flow(doc_inline(bind_keep(&r.texts[DOC_DEPRECATED])));
  if (out->deprecated) {
    out->deprecated = deprecated;
  }
  for (int i = out->param_count; i-- > 0;) {
    doc_param *p = &out->params[i];
    if (p->joined) {
      p->text = p[1].text;
    } else {
      p->text = doc_flow(doc_inline(p->text));
    }
  }
}

const char *doc_description(const doc_comment *doc) {
  if (!doc->deprecated) {
    return doc->description;
  }
  const char *text = "Deprecated.";
  if (*doc->deprecated) {
    text = bind_string("Deprecated: %s", doc->deprecated);
  }
  return bind_join(doc->description, "\n\n", text);
}

const char *doc_paragraph(const char *comment) {
  doc_comment doc;
  if (!comment || !*comment) {
    return "";
  }
  doc_read(comment, &doc);
  return doc_flow(bind_join(doc.summary, " ", doc_description(&doc)));
}
