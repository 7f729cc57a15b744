/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the twins: call.c and family.c put together what the other files write. */
#ifndef DLFERRY_BIND_TWIN_PARTS_H
#define DLFERRY_BIND_TWIN_PARTS_H

#include "argument.h"
#include "bind/base/template.h"
#include "bind/emit/declare.h"
#include "bind/emit/query.h"
#include "contract/contract.h"

/* ---- expression.c ---- */

/* The C around an expression, which decides how a name is spelled. */
typedef enum expression_place {
  EXPRESSION_IN_CHECK, /* dlferry_fits_NAME: extents are constants dlf_axis_NAME */
  EXPRESSION_BEFORE,   /* the twin before the call: extents are read from tensors */
  EXPRESSION_AFTER     /* the twin after it: an extent that C reports is what it reported */
} expression_place;

const char *expression_symbol(const dlf_contract *c, int32_t symbol, expression_place place);
const char *expression_integer(const dlf_contract *c, int32_t node, expression_place place);
/* In double. */
const char *expression_real(const dlf_contract *c, int32_t node, expression_place place);

/* The condition that a constraint on numbers holds; true even where dlf_sure is cleared. */
const char *expression_test(const dlf_contract *c, const dlf__constraint *constraint,
                            expression_place place);

/* Tell whether an expression is more than a name or a number, so that it needs dlf_sure. */
bool expression_computes(const dlf_contract *c, int32_t node);

/* ---- platform.c ---- */

/* C's test whether a 64-bit number is below or above what C's integer holds, on any platform; "" if
 * none is. */
const char *platform_below(const bind_type *type, const char *number);
const char *platform_above(const bind_type *type, const char *number);

/* The highest value that C's integer holds on every platform. */
int64_t platform_most(const bind_type *type);

/* The lowest and the highest value of C's integer that fit in int64_t, as a constant of C. */
const char *platform_lowest(const bind_type *type);
const char *platform_highest(const bind_type *type);

/* Refuse to compile where C's elements are not of the contract's width: one line for each pointer.
 */
const char *platform_assertions(const bind_function *f);

/* ---- derive.c ---- */

/* Tell whether a function has such arguments. */
bool derive_needed(const bind_function *f);

/* Tell whether one of them may be refused, so that the twin uses its error. */
bool derive_may_refuse(const bind_function *f);

/* The statements that compute them before the call: `dlf_derived_NAME`. They run once the contract
 * holds. */
const char *derive_statements(const bind_function *f);

/* A computed argument of the call. */
const char *derive_argument(const bind_c_param *p);

/* Define a variable with the value of a source; where the value does not fit in the type, fail with
 * text about it. */
void derive_put_value(bind_text *t, const dlf_contract *c, const dlf__derived *d,
                      const bind_type *type, const char *variable, const char *where);

/* Refuse tensors whose data is a handle with an offset, which a pointer cannot carry; "" where no
 * clause allows such a device. For one parameter, a hook's; for all, the kernel's. */
const char *derive_offset(const bind_function *f, const bind_param *p);
const char *derive_offsets(const bind_function *f);

/* The pointer that C takes for a tensor. */
const char *derive_pointer(const bind_param *p);

/* ---- scratch.c ---- */

/* The memory that a kernel needs for the call alone: its argument, the statements that make it,
 * with what a failure undoes, and those that free it. */
const char *scratch_argument(const bind_c_param *c);
const char *scratch_taken(const bind_function *f, const char *undone);

/* Return what ends the call, after `undone`, if one of the pointers in "!a || !b" is NULL. */
const char *scratch_refused(const bind_function *f, const char *lacks, const char *undone);
const char *scratch_given_back(const bind_function *f);

/* ---- axes.c ---- */

/* The statements before a call that fill in an argument with a tensor's axes, and the argument. */
const char *axes_statements(const bind_function *f, const bind_c_param *c);
const char *axes_argument(const bind_c_param *c);

/* ---- hooks.c ---- */

/* The statements that fill in dlf_values, and match the inputs before hooks that get them; ""
 * without hooks. */
const char *hooks_statements(const bind_function *f);

/* Tell whether a function's hooks are about the elements of an array of integers, or of reals. */
bool hooks_read_elements(const bind_function *f, bool reals);

/* The argument of C for a tensor that a hook or the kernel gets as a DLTensor for the call alone.
 */
const char *hooks_tensor(const bind_param *p);

/* An expression of C for the text, or NULL, of the status in dlf_code that a kernel or a hook
 * returned. */
const char *hooks_status_text(const bind_function *f);

/* The condition under which what C returned is a failure. */
const char *hooks_failed(const bind_function *f);

/* ---- give.c ---- */

/* Tell whether a function gives pointers to elements, and whether its tensors hang on a handle or
 * own memory. */
bool give_needed(const bind_function *f);
bool give_owns(const bind_function *f);

/* Functions that free what tensors own, which stand before the twins. */
const char *give_functions(const bind_function *f);

/* Variables to which C gets pointers. */
const char *give_places(const bind_function *f);

/* The variable that receives the pointer that C returns: "const float *dlf_given_result = "; ""
 * without one. */
const char *give_received(const bind_function *f);

/* Make the tensors after a success. If that fails, what C gave is freed at once. */
const char *give_statements(const bind_function *f);

/* Store the extents that C gave among the contract's arguments. */
const char *give_values(const bind_function *f);

/* Free memory that a handle's tensors no longer use, before the call. */
const char *give_cleared(const bind_function *f);

/* Clear the structs in which C gave memory, after a failure. */
const char *give_forgotten(const bind_function *f);

/* A call that frees what C gave, inside a lock that may be NULL. */
const char *give_locked(const char *lock, const char *call);
/* Refuse a call that changes a handle whose elements a tensor still has; object: an expression of
 * C.
 */
const char *give_unlent(const bind_function *f, const bind_param *p, const char *object);

/* ---- files.c ---- */

/* Tell whether the call opens files for C. */
bool files_needed(const bind_function *f);

/* Their variables, and C's argument. */
const char *files_places(const bind_function *f);
const char *files_argument(const bind_text_use *text);

/* Open them; undone: what a failure must undo. Close them after a failure, and else with a verdict
 * on what C wrote. */
const char *files_opened(const bind_function *f, const char *undone);
const char *files_dropped(const bind_function *f);
const char *files_closed(const bind_function *f);

/* ---- texts.c ---- */

/* Tell whether a function has texts with clauses of their own. */
bool texts_needed(const bind_function *f);
/* Tell whether it has texts of wchar_t, which paths of files are on Windows. */
bool texts_are_wide(const bind_function *f);

/* Tell whether it has lists of them as results. */
bool texts_gather(const bind_function *f);

/* Tell whether C reports how long one is, and whether one is freed within a lock of the process. */
bool texts_count(const bind_function *f);
bool texts_take_lock(const bind_function *f);

/* Variables to which C gets pointers, the one that receives what C returns, and an argument. */
const char *texts_places(const bind_function *f);
const char *texts_received(const bind_function *f);
const char *texts_argument(const bind_c_param *c);

/* Memory for C to fill; undone: what a failure must undo. */
const char *texts_opened(const bind_function *f, const char *undone);

/* Free such memory before C has it. */
const char *texts_dropped(const bind_function *f);

/* The statement that calls C, again as long as it asks for more memory. */
const char *texts_call(const bind_function *f, const char *received, const char *kernel);

/* After a failure: free what C gave, and such memory. */
const char *texts_forgotten(const bind_function *f);

/* Free what C got as wchar_t, once all results are copied. */
const char *texts_narrowed(const bind_function *f);

/* After a success: copy a text, and free C's. */
const char *texts_taken(const bind_function *f, const bind_param *p);

/* The text of a failure that C wrote, and the statement that frees it, also after a success. */
const char *texts_fault(const bind_function *f);
const char *texts_fault_freed(const bind_function *f);

/* ---- collect.c ---- */

/* The function that C calls back, which stands before the twin; what keeps the arguments, and what
 * C gets; "" without one. */
const char *collect_function(const bind_function *f);
const char *collect_places(const bind_function *f);
const char *collect_argument(const bind_function *f, const bind_c_param *c);

/* After the call: fail if it stopped for want of memory; forgotten: what that must undo. */
const char *collect_stopped(const bind_function *f, const char *forgotten);
const char *collect_forgotten(const bind_function *f);

/* Hand over what it kept. */
const char *collect_taken(const bind_function *f, const bind_param *p);

/* ---- report.c ---- */

/* Make the place or the object in which C reports a failure, after everything that may fail;
 * `undone` is what happens without memory. "" where it does not. */
const char *reported_made(const bind_function *f, const char *undone);

/* The argument of C for it. */
const char *reported_argument(const bind_report *r);

/* After the call: read the code into dlf_code. The text of a failure, and what frees the object. */
const char *reported_code(const bind_function *f);
const char *reported_text(const bind_function *f);
const char *reported_freed(const bind_function *f);

/* ---- keep.c ---- */

bool keep_needed(const bind_function *f);

/* Tell whether the handle that the function makes keeps something. */
bool keep_in_result(const bind_function *f);

/* Tell whether C keeps a DLTensor and not only the address of elements. */
bool keep_is_struct(const bind_param *p);

/* The argument of C for such a tensor. */
const char *keep_tensor(const bind_param *p);

/* Keep tensors and objects in a handle before C gets them; release them if C fails. */
const char *keep_before(const bind_function *f);
/* Refuse an object that another one has taken; it is an expression of C. */
const char *keep_untaken(const bind_function *f, const bind_param *p, const char *object);
/* Refuse an object that was made from another one than C gets with it. */
const char *keep_unmade(const bind_function *f, const bind_param *p);
const char *keep_undone(const bind_function *f);

/* Keep them in the handle that C has made. */
const char *keep_after(const bind_function *f);

/* The address of an object, and of the one that keeps: a parameter, or the one that is made for
 * NULL. */
const char *keep_address(const bind_handle *h, const char *value);
const char *keep_handle(const bind_function *f, const char *in);

/* ---- objects.c ---- */

/* Refuse a list in which an object may not be passed, as one alone. */
const char *objects_checks(const bind_function *f, const bind_param *p);

/* The argument of C for a list; none for an empty one. */
const char *objects_argument(const bind_c_param *c);

/* ---- facts.c ---- */

/* Before the call, doubt those that it may change. */
const char *facts_doubted(const bind_function *f);

/* After a success, note the numbers that objects keep. */
const char *facts_noted(const bind_function *f);

/* The statement that reads such a number into dlf_extent. */
const char *facts_recalled(const bind_function *f, const bind_hook *hook);

/* ---- inplace.c ---- */

/* Allocate an object that the call makes ready, after everything that may fail; `undone` is what
 * happens without memory. */
const char *inplace_taken(const bind_function *f, const char *undone);

/* Free its memory before C has it. */
const char *inplace_undone(const bind_function *f);

/* Hand it over once C has succeeded. */
const char *inplace_handed_over(const bind_function *f);

/* Free its memory, behind the call that clears it. */
void inplace_put_free(bind_text *c, const bind_handle *h);

/* ---- cut.c ---- */

/* Tell whether a function has such outputs. */
bool cut_needed(const bind_function *f);

/* The places for the numbers, with the extent of the memory in each: some C reads it there. */
const char *cut_places(const bind_function *f);

/* After the kernel: the numbers are checked and handed over. */
const char *cut_counted(const bind_function *f);

/* In f_new: variables for the numbers; then each output that it made is cut. */
const char *cut_variables(const bind_function *f);
const char *cut_made(const bind_function *f);

/* ---- predicate.c ---- */

/* The fast check: straight-line C that accepts only calls that the interpreter accepts; a refusal
 * decides nothing. */

/* static bool dlferry_fits_NAME(...); false, with nothing written, for a contract that it cannot
 * express. */
bool bind_put_predicate(bind_text *text, const bind_function *f);

/* Open the function's body, or with make that of dlferry_make_NAME, which gets places for made
 * outputs. */
void bind_open_predicate(bind_text *text, const bind_function *f, bool make);
/* The arguments that the twin passes to it, with made outputs in their places; whether a parameter
 * is one. */
const char *bind_predicate_arguments(const bind_function *f, bool make);
bool bind_predicate_looks_at(const bind_param *p);

/* The parameter of a clause. */
const char *bind_predicate_name(const dlf_contract *c, const dlf__clause *clause);
/* The clause whose tensor's strides `samelayout` means; with inputs, of inputs only, since outputs
 * do not exist yet. NULL for none, and without `samelayout`. */
const dlf__clause *bind_predicate_model(const dlf_contract *c, const dlf__clause *clause,
                                        bool inputs);

/* ---- make.c ---- */

/* Outputs that a call omits, made without the interpreter: straight-line C beside the fast check.
 * */

/* static bool dlferry_make_NAME(...), for a function with a fast check. */
void bind_put_make(bind_text *text, const bind_function *f);

/* ---- shares.c ---- */

/* Each kind of parameter's contribution to each part of a twin, and a twin's tests beyond clauses.
 * */

/* The parts of f_checked, or of f_new (make), as fields; shares.c lists them. */
const bind_field *twin_shares(const bind_function *f, bool make);

/* ---- struct.c ---- */

/* The twins' own layouts, in the header; the copies between them and C's structs. */
void struct_put_layouts(bind_text *h, const bind_ir *ir);
void struct_put_functions(bind_text *c, const bind_ir *ir);

/* Variables for the structs of a call, filled in: "au_format dlf_struct_format = {0};". */
const char *struct_places(const bind_function *f);

/* The argument of C for one. */
const char *struct_argument(const bind_param *p);

/* The same for a struct whose fields callers pass, without them, and its argument. */
const char *struct_spread_place(const bind_spread *spread);
const char *struct_spread_argument(const bind_spread *spread);

/* Refuse to compile where C's fields have other types. */
const char *struct_spread_assertions(const bind_function *f);

/* Copy the struct that C returned for the caller. */
const char *struct_handed_over(const bind_function *f);

/* The copy of a struct to which C wrote a pointer; "" for others. */
const char *struct_copied(const bind_function *f, const bind_param *p);

/* The end of what C made there, also after a failure; "" for others. */
const char *struct_freed(const bind_param *p);

/* The same for all, once no other result can lie in them. */
const char *structs_freed(const bind_function *f);

/* Checks of the fields that have only some values. `value` is what stands before a field's name,
 * "format->"; of a result they set dlf_verdict. */
const char *struct_checks(const bind_struct *s, const char *where, const char *value,
                          bool is_result);

/* ---- struct_list.c ---- */

/* Take memory for the lists of structs and fill it from the lists of fields, and give it back.
 * undone: what a failure has to give back. */
const char *struct_lists_taken(const bind_function *f, const char *undone);
const char *struct_lists_given_back(const bind_function *f);

/* ---- kernel.c ---- */

/* One argument of the kernel's call; "" for what C returns instead. */
const char *kernel_argument(const bind_function *f, const bind_c_param *from);

/* The call of C, with one argument on each line, and what receives its result: "const int dlf_code
 * =
 * ". */
const char *kernel_call(const bind_function *f);
const char *kernel_received(const bind_function *f);

/* Put the fields of structs together before the call, and hand over those that C has written. */
const char *kernel_fields(const bind_function *f);
const char *kernel_fields_back(const bind_function *f);

/* ---- rename.c ---- */

/* A copy of the function in which such parameters have the names of bind_twin_param_name; f itself
 * if it has none. */
const bind_function *rename_needed(const bind_function *f);

/* Append C that was written for that copy: its texts and comments get the parameters' real names.
 */
void rename_put_back(bind_text *to, const char *c);

/* ---- call.c and family.c ---- */

/* The compiled contract of a function, and the arguments of a call for it. */
void twin_put_once(bind_text *c, const bind_function *f);
const char *twin_value_list(const bind_function *f, bool make);

/* The twins of a family: they choose a member. */
void twin_put_family(bind_text *c, const bind_function *f);

/* f_checked, and f_new if there is one. */
void bind_put_twins(bind_text *c, const bind_function *f);

#endif
