/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files that build the IR: read.c, build.c, type.c, contract.c and shorten.c. */
#ifndef DLFERRY_BIND_IR_BUILDER_H
#define DLFERRY_BIND_IR_BUILDER_H

#include "bind/base/text.h"
#include "bind/c/doc.h"
#include "bind/c/parse.h"
#include "bind/clauses/clauses.h"
#include "bind/clauses/sidecar.h"
#include "ir.h"
#include "read.h"
#include "uses.h"
#include <dlferry/contract.h>

typedef struct ir_builder {
  bind_ir *ir;
  const bind_options *options;
  const c_header *header;
  const lex_list *list;
  sidecar *contracts;         /* the file beside the header, without blocks if there is none */
  bool *knows_us;             /* for each header: its functions use DLTensor or dlf_error */
  int at;                     /* index of the header whose declaration is at hand */
  const sidecar_block *block; /* while its contract is read: failures name its place */
  const c_function *from;     /* the same, for clauses of its comment and of `every` */
  const char *contract;       /* what is compiled, and so counted in characters */
  const char *clause;         /* in which a failure is, if that is known; else NULL */
  const char *part;           /* of a clause, in which a failure is, if that is known; else NULL */
  bind_index freed;           /* functions that free what tensors own */
  uses_table uses;            /* what functions make and free */
  bind_index functions, structs, variables; /* of the header */
  bind_index included;                      /* functions of included files */
  bind_index enums;                         /* of the IR */
  bind_index value_handles,
      struct_handles;      /* of the IR: types that are handles, and structs behind them */
  bind_index number_names; /* enumerators and macros: places in numbers */
  struct ir_number *numbers;
  int number_count;
  bool failed;
} ir_builder;

/* Print an error at the clause that it is about, or else at a line; the command then fails. */
void ir_fail(ir_builder *b, int line, const char *format, ...) BIND_PRINTF(3, 4);

/* The same of a function, whose name comes first. */
void ir_fail_in(ir_builder *b, const bind_function *f, const char *format, ...) BIND_PRINTF(3, 4);

/* Say of a clause that no declaration is known of its function, which is misspelt or of a header
 * that is not read. */
void ir_fail_undeclared(ir_builder *b, const bind_function *f, const char *clause,
                        const char *function);

/* Let failures name the place of a function's block in the file of contracts, if it has one. */
void ir_find_block(ir_builder *b, const char *function);

/* Print an error at a word of the clause of a handle, or at a place in its text, which may be NULL.
 */
void ir_fail_handle(ir_builder *b, const sidecar_handle *from, const char *word, const char *why);
void ir_fail_handle_at(ir_builder *b, const sidecar_handle *from, const char *at, const char *why);

/* Note a line of the file of contracts that is refused. */
void ir_refuse(ir_builder *b, int line);

/* Print a line about a clause in the same form; the command goes on. */
void ir_note(const ir_builder *b, int line, const char *format, ...) BIND_PRINTF(3, 4);

/* Return a name without the package's prefix, or without any prefix. If the rest is no name, such
 * as 1 of hz_1, ir_strip returns NULL, and the short name is the whole one. */
const char *ir_short_name(const ir_builder *b, const char *name);
const char *ir_strip(const char *name, const char *prefix);

/* ---- index.c ---- */

/* Let names lead to what the header declares, and to the numbers that enums and macros name; enums
 * must exist then. */
void ir_index_header(ir_builder *b);
void ir_index_constants(ir_builder *b);

/* Macros of arithmetic with enumerators are constants too; these must be indexed. */
void ir_take_expressions(ir_builder *b, lex_list *list);

/* A parameter's name, arg3 for a third one without. */
const char *ir_param_name(const c_function *from, int i);

/* Return the place of the parameter of that name, -1 for none, and its type, NULL for none. */
int ir_param_place(const c_function *from, const char *name);
const c_type *ir_param_type(const c_function *from, const char *name);

/* Find a declaration by its name in C, or return NULL; ir_find_included looks in included files
 * too. */
const c_function *ir_find_function(const ir_builder *b, const char *name);
const c_function *ir_find_included(const ir_builder *b, const char *name);
const c_variable *ir_find_variable(const ir_builder *b, const char *name);
const bind_enum *ir_find_enum(const ir_builder *b, const char *name);
/* The same of an enum; it may be NULL. */
const bind_enumerator *ir_find_enumerator(const bind_enum *e, const char *name);

/* Tell whether the header has an enumerator, or a macro that is a number, of this name. */
bool ir_is_constant(const ir_builder *b, const char *name);

/* Find the value of an enumerator or of a macro that is an integer; false if the header has none of
 * this name. */
bool ir_constant(const ir_builder *b, const char *name, int64_t *value);

/* ---- enums.c ---- */

/* Build the enums; returns how many are skipped, each with a message. */
int ir_build_enums(ir_builder *b);

/* ---- build.c ---- */

/* Build all functions except those that free a handle; enums and handles must exist. */
void ir_build_functions(ir_builder *b);

/* ---- reasons.c ---- */

/* Leave a function out. It may have several reasons. */
void ir_leave_out(bind_function *f, const char *why);

/* Let each function that is left out have its reason among its reasons. */
void ir_complete_reasons(bind_ir *ir);

/* ---- type.c ---- */

/* Tell whether tensors have elements of this C type: numbers, bytes, characters, and pairs of reals
 * where C has no complex type. */
bool ir_may_be_element(const c_type *t);

/* The scalar of such elements; BIND_NONE for bool, char and void. */
bind_scalar ir_element_scalar(const c_type *t);

/* How C spells a pointer, such that a name can follow: "const int64_t *"; "" for a pointer to a
 * function. */
const char *ir_spell_pointer(const c_type *t);
bind_type ir_build_type(const ir_builder *b, const c_type *t);

/* The type of an argument, also of a hook. */
bind_type ir_build_argument_type(const ir_builder *b, const c_type *t);

/* Build a parameter's type; a pointer to a scalar or to a handle returns a result. */
bind_type ir_build_param_type(const ir_builder *b, const c_type *t, bool *returned);

/* ---- handle.c ---- */

bool ir_is_struct(const c_type *t, const char *name);

/* Take `handle TYPE freed NAME` and `handle TYPE unowned` out of the comments of functions. */
void ir_read_handles(ir_builder *b);

/* Build the handles of the file of contracts, and one for each struct that a function frees. */
void ir_build_handles(ir_builder *b);

/* The function without parameters that makes an object; NULL for none. */
const c_function *ir_plain_maker(const ir_builder *b, const bind_handle *h);

/* Say which clause would make a handle of an unbound type, or return NULL. */
const char *ir_why_no_handle(const ir_builder *b, const c_type *t);

/* Say why a `const char *` may not end with a NUL, or return NULL; `from` is the type in C. */
const char *ir_why_no_text(const ir_builder *b, const bind_function *f, int i, const c_type *from);

/* Tell whether an integer is called like the length of the text before it, `data, len`, or behind
 * it. */
bool ir_is_text_length(const bind_param *text, const bind_param *length);
bool ir_is_length_before(const bind_function *f, int i);

/* ---- method.c ---- */

/* Find the class whose method a function is, and the object that it makes. */
void ir_build_method(ir_builder *b, bind_function *f, const clause_words *words);

/* Note a new name that makes a function of a method; `own` is its name without the clause. */
void ir_check_rename(ir_builder *b, const bind_function *f, const char *own);

/* ---- plain.c ---- */

/* Let the parameters of `handle void *PARAM` have a type of their own. */
void ir_tell_plain_handles(ir_builder *b, c_header *header);

/* ---- classes.c ---- */

/* Find the handle that a type is by itself, or that pointers to a struct are, in the function at
 * hand; NULL for none. */
const bind_handle *ir_find_handle(const ir_builder *b, const c_type *t);
const bind_handle *ir_find_struct_handle(const ir_builder *b, const c_type *t);

/* Tell whether pointers to a struct of this name are a handle, in any function. */
bool ir_is_object(const ir_builder *b, const char *type);

/* Tell whether the file of contracts says that a function makes a handle. */
bool ir_is_maker(const bind_handle *h, const char *function);

/* Let types lead to a handle. */
void ir_index_handle(ir_builder *b, bind_handle *h);

/* ---- owner.c ---- */

/* Find what the functions that free handles take beside these; all handles must exist. */
void ir_find_owners(ir_builder *b);

/* Note which object the end of what a function makes needs. */
void ir_build_end(bind_function *f);

/* ---- kept.c ---- */

/* Leave a function out whose author has not looked at it, and that may keep an object. */
void ir_ask_what_is_kept(bind_function *f, const clause_words *words);

/* ---- room.c ---- */

/* Fail unless the contract keeps a number that C may take for the size of a text within the memory
 * that the call has. */
void ir_check_room(ir_builder *b, const bind_function *f, const clause_list *rest,
                   const bind_param *text, int64_t room);

/* Fail if the size that a contract gives a text, `n := 0`, is none. */
void ir_check_given_room(ir_builder *b, const bind_function *f, const clause_list *rest,
                         const bind_param *size);

/* Say which clause makes a list of a pointer to objects. */
const char *ir_why_no_list(void);

/* Say why a type cannot be bound as a parameter, or return NULL; `from` is the type in C. */
const char *ir_why_unbound(const ir_builder *b, const bind_type *type, const c_type *from);

/* ---- ended.c ---- */

/* Let a call end the object of a parameter. */
void ir_end_object(ir_builder *b, const bind_function *f, bind_param *p, const char *name);

/* Leave out functions that would end an object which something else may need; all must exist. */
void ir_check_ended(const bind_ir *ir);

/* ---- inplace.c ---- */

/* Tell whether a parameter points to a struct of this type that C may write, or whether a function
 * has such a parameter. */
bool ir_is_place(const c_type *t, const char *type);
bool ir_makes_ready(const c_function *f, const char *type);

/* Say why a type's memory cannot be the twin's, or return NULL. */
const char *ir_why_not_in_place(const c_type *t);

/* Return a clause for a struct that functions called x_init and x_end or the like take; NULL for
 * none. */
const char *ir_guess_in_place(const ir_builder *b, const c_type *t);

/* ---- family.c ---- */

/* A function's contract; of a family's member with its dtype instead of the family's variable. */
clause_list ir_member_clauses(const ir_builder *b, const char *function,
                              const clause_list *contract);

/* Add a function for each family; its members are no longer functions of callers. */
void ir_build_families(ir_builder *b);

/* ---- whole.c ---- */

/* Answer what emitters ask about the whole header; all functions must exist, and those that are not
 * bound be known. */
void ir_answer(ir_builder *b);

/* ---- sure.c ---- */

/* Find the functions in which nothing can fail; all must exist. */
void ir_find_sure(ir_builder *b);

/* ---- every.c ---- */

/* Add the clauses of the blocks `every PATTERN { ... }` that suit a function and that its own
 * contract does not give; *block is the last of these blocks, if there is one. */
void ir_add_every(ir_builder *b, const c_function *f, clause_list *contract,
                  const sidecar_block **block);

/* Report clauses of such blocks that no function suits, such as misspelt words; all functions must
 * exist. */
void ir_report_every(ir_builder *b);

/* ---- property.c ---- */

/* Make properties of getters and setters; all functions must exist. */
void ir_build_properties(ir_builder *b);

/* ---- pointee.c ---- */

/* Take a pointer for one number if its clause says so, and note what may be absent. */
void ir_build_pointee(ir_builder *b, const bind_function *f, const c_type *t,
                      const clause_list *contract, bind_param *p);
/* Let callers get C's char, or its long double, as a number: "return: i8". */
void ir_build_number(ir_builder *b, bind_function *f, const c_type *t, const char *dtype);

/* ---- objects.c ---- */

/* Take a pointer to objects for a list if its clause says so. */
void ir_build_objects(ir_builder *b, const bind_function *f, const c_type *t,
                      const clause_list *contract, bind_param *p);

/* ---- record.c ---- */

/* Find a struct whose members are known; NULL for others. */
const bind_struct *ir_find_struct(const ir_builder *b, const c_type *t);

/* Tell whether a member of C may be a text to which a field points. */
bool ir_may_be_text_field(const c_member *m);

/* Say which member makes a struct unknown, and which clause would leave it out. */
const char *ir_struct_advice(const char *type, const c_member *m, const char *why);

/* The type of a struct by value; BIND_OTHER if it has no fields for callers. */
bind_type ir_struct_type(const ir_builder *b, const c_type *t);

/* A pointer to a struct that C returns: to one that is kept, if it is const, or to one that the
 * call frees, if the struct's block says so. */
void ir_build_result_behind(ir_builder *b, bind_function *f, const c_type *t);

/* Say what is lacking for a struct, or for a pointer to one; NULL if its members are unknown. */
const char *ir_why_no_struct(const ir_builder *b, const c_type *t);

/* ---- variable.c ---- */

/* Return a function whose variable arguments the contract fixes, with these as parameters, and take
 * the clauses about them out; else the function. */
const c_function *ir_fix_variable(ir_builder *b, const c_function *from, clause_list *contract);

/* ---- spread.c ---- */

/* Return the function with the fields of each struct in its place whose clause is `data: fields`,
 * also of one that it returns, and take these clauses out. */
const c_function *ir_spread_structs(ir_builder *b, bind_function *f, const c_function *from,
                                    clause_words *words);

/* The parameter of C that has this field, or NULL. */
const char *ir_spread_name(const bind_function *f, const char *field);

/* ---- struct.c ---- */

/* Build the structs that functions have, or the file of contracts; handles must exist. */
void ir_build_structs(ir_builder *b);

/* Note what frees the structs to which C writes a pointer, and check that no result outlives them.
 */
void ir_build_freed(ir_builder *b, bind_function *f, const clause_words *words);
void ir_check_freed(ir_builder *b, const bind_function *f);

/* Take a pointer for one struct if its clause says so. */
bool ir_build_struct_pointee(ir_builder *b, const bind_function *f, const c_type *t,
                             const clause_words *words, bind_param *p);

/* Note which structs the bound functions have. */
void ir_use_structs(ir_builder *b);

/* ---- constant.c ---- */

/* The enumerators of an enum without a name are constants like macros. */
void ir_take_nameless_enums(ir_builder *b, lex_list *list);

/* List the constants that packages have; a name that another takes is left out. */
void ir_build_constants(ir_builder *b);

/* Fail unless a constant suits a parameter. */
void ir_check_constant(ir_builder *b, const bind_function *f, const bind_param *p,
                       const char *value);

/* ---- status.c ---- */

/* Take the function that tells the text of a code. */
void ir_read_status_text(ir_builder *b, bind_function *f, const char *name);

/* Copy the contract's clause for the return value. */
void ir_build_status(ir_builder *b, bind_function *f, const dlf_contract *c);

/* ---- hooks.c ---- */

/* Build the functions that compute extents, with their arguments. */
void ir_build_hooks(ir_builder *b, bind_function *f, const dlf_contract *c);

/* ---- field.c ---- */

/* Return the member of that name; NULL for none. */
const c_member *ir_find_member(const c_struct *record, const char *name);

/* Tell whether a struct has an integer of that name that is no bit-field. */
bool ir_has_integer(const c_struct *record, const char *name);

/* Return the type of a member, also within a struct or a union without a name, as C finds it; NULL
 * for none. */
const c_type *ir_member_type(const c_struct *record, const char *name);

/* Find the type of a field, "opt.size" or "ne[2]", of a struct whose members the header shows;
 * false, and *why, if it has none. */
bool ir_field_of_record(const ir_builder *b, const c_struct *record, const char *path,
                        bind_type *out, const char **why);

/* The same of an object or a struct that is passed. */
bool ir_find_field(const ir_builder *b, const c_function *f, const bind_param *p, const char *path,
                   bind_type *out, const char **why);

/* ---- width.c ---- */

/* Fail for dtypes of a width that no program has, such as f65. */
bool ir_check_widths(ir_builder *b, const bind_function *f, const dlf_contract *c);

/* ---- contract.c ---- */

/* Note of a function that is left out already which of its pointers need a clause. */
void ir_add_open_pointers(const ir_builder *b, bind_function *f, const clause_list *contract);

/* Compile the contract and copy its rules into f; lists and arrays lose the parameters that count
 * them. */
void ir_build_contract(ir_builder *b, bind_function *f, const char *text);

#endif
