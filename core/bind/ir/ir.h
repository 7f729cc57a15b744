/* SPDX-License-Identifier: Apache-2.0 */
/* The intermediate representation of a C header, which the emitters of all languages read.
 *
 * c/lex.c -> c/parse.c -> read.c, build.c, type.c, contract.c -> this -> cases, twin, one emitter
 * for each language
 *
 * Everything here lives in one arena until the command ends; emitters only read. Strings are never
 * NULL unless the comment says so; a missing text is "". All texts are valid UTF-8 without control
 * characters but '\n'. */
#ifndef DLFERRY_BIND_IR_IR_H
#define DLFERRY_BIND_IR_IR_H

#include "bind/base/names.h"
#include "bind/c/parse.h"
#include "bind/clauses/axes.h"
#include "bind/clauses/gift.h"
#include "bind/clauses/texts.h"
#include "kind.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bind_enumerator {
  const char *name;       /**< in C: PHOTO_EDGE_CLAMP */
  const char *short_name; /**< prefix stripped: EDGE_CLAMP */
  const char *label; /**< the enum's own name stripped too, if that leaves identifiers: CLAMP */
  int64_t value;     /**< fits int32 or uint32, as the enum's scalar says */
  const char *doc;   /**< one paragraph */
} bind_enumerator;

typedef struct bind_enum {
  const char *name;       /**< tag or typedef: photo_edge */
  const char *c;          /**< how C spells the type: "photo_edge" or "enum photo_edge" */
  const char *short_name; /**< prefix stripped: edge */
  const char *summary;
  const char *description; /**< the text after the summary, with its paragraphs */
  bind_scalar scalar; /**< BIND_I32, or BIND_U32 if no value is negative and one needs 32 bits */
  bool flags;         /**< values can be or-ed: they are powers of two, at least three */
  bool used;          /**< a function that is bound takes or returns one */
  bind_enumerator *values;
  int count;
  int header; /**< index into bind_ir.headers */
  int line;
} bind_enum;

/** A macro that is a number, with the package's prefix. */
typedef struct bind_constant {
  const char *name;       /**< in C: FFTW_FORWARD */
  const char *short_name; /**< prefix stripped: FORWARD */
  const char *text;       /**< a literal that C, Python, Rust, Go and Julia all read */
  bind_scalar scalar;     /**< BIND_I32, BIND_U32, BIND_I64 or BIND_F64 */
} bind_constant;

/** What functions make or lend, mostly a pointer to a struct: a class with a deterministic close.
 */
typedef struct bind_handle {
  const char *name;       /**< tag or typedef: zf_codec, fftw_plan; another one after `as` */
  const char *type;       /**< the same in C */
  const char **functions; /**< names or patterns of those in which the type is this handle; none for
                             all others */
  int function_count;
  const struct bind_handle *next; /**< of the same type, or NULL */
  const char
      *c; /**< how C spells its value, such that a name can follow: "zf_codec *", "fftw_plan " */
  bool is_value;   /**< the type is itself the pointer or the integer: fftw_plan, BoosterHandle,
                      uintptr_t */
  bool is_integer; /**< C passes an integer, of which 0 is none; languages hold it like a pointer */
  bool
      in_place; /**< the twin allocates its memory: `makers` make it ready, `free_call` clears it */
  const char *pointee; /**< of a typedef of a pointer: the struct's tag or typedef; "" for others */
  const char *
      *makers; /**< functions that make one, names or patterns, beside those whose names tell it */
  int maker_count;
  const char *short_name; /**< prefix stripped: codec */
  const char *summary;
  const char *description;
  const char *free_name; /**< zf_codec_free; it is not among the functions that bind_next_function
                            gives. NULL if no function frees one: all are borrowed */
  const char *free_checked_name; /**< zf_codec_free_checked: void (zf_codec *owned), NULL does
                                    nothing; NULL without free_name */
  bool lent;                     /**< some are borrowed, so two objects of a call may be one in C */
  bool lends;     /**< tensors until a call changes it, which is refused as long as one lives */
  bool in_lender; /**< some are borrowed from one that lends so, or from a part of one */
  bool frees;     /**< a gift is freed with it: its tensors queue that until a call or the end */
  bool used;      /**< a function that is bound takes or makes one */
  struct bind_function
      *first; /**< its methods and the functions that make it, which bind_next_at steps through */
  const struct bind_function
      *maker; /**< the first function that makes it and that generated tests call, or NULL */
  bool holds; /**< it has a holder in the twin: tensors keep it, it keeps tensors, or it is freed in
                 a lock */
  bool keeps; /**< it keeps tensors */
  bool taken; /**< a call gives some to others, which C frees with these */
  const char *lock;      /**< the lock of the process in which it is freed, or NULL */
  const char *free_call; /**< in C, of an object called owned: "zf_codec_free(&owned, 0)" */
  const struct bind_handle
      *owner;             /**< of an object called owner that free_call needs too; or NULL */
  const char *owner_name; /**< what C calls that parameter */
  const char *free_error; /**< the type of a variable `error` to which free_call refers, "int ", or
                             NULL */
  const char *error_made, *error_freed; /**< what makes and frees it, if it is an object */
  int header;                           /**< index into bind_ir.headers */
  int line;
} bind_handle;

/** A struct with public fields: a value for callers. The twins have a layout of their own for it,
 * and copy it field by field. */
typedef struct bind_struct {
  const char *name;       /**< tag or typedef: sr_format */
  const char *c;          /**< how C spells the type: "sr_format ", "struct sr_format " */
  const char *short_name; /**< prefix stripped: format */
  const char *layout;     /**< the type of the twins: "sr_format_fields " */
  const char *summary;
  const char *description;
  struct bind_param *fields; /**< in C's order, without hidden ones; type.own is C's, type.c of a
                                fixed width */
  int field_count;
  bool hides;                     /**< C has fields that callers do not get */
  const char *defaults;           /**< the function that gives the defaults, or NULL: they are 0 */
  bool defaults_behind;           /**< it writes them behind a pointer */
  const char *defaults_arguments; /**< behind that: ", 1"; or "" */
  const char *text;    /**< a text that C makes is a struct of this type, in this field; or NULL */
  bool lists;          /**< that field is a `char **`: a list of texts */
  const char *gives;   /**< a tensor likewise: the field that points to its elements */
  bool carries;        /**< one that C reads carries a tensor of callers */
  const char *cleared; /**< the function that frees what such a struct has */
  const char *freed;   /**< the function that frees one that C returns behind a pointer, or NULL */
  bool single; /**< a pointer to a const one is to one, without a clause of the parameter's own */
  bool used;   /**< a function that is bound takes or returns one */
  const char *unbound; /**< why no function that has it is bound, or NULL */
  int header;          /**< index into bind_ir.headers */
  int line;
  struct bind_struct *next; /**< those within it come before it */
} bind_struct;

/** Structs with more fields, those of their structs included, are not bound. */
enum { BIND_MOST_FIELDS = 1000 };

/** Count the fields of a struct with those of its structs; 0 for NULL. */
int bind_count_fields(const bind_struct *s);

typedef struct bind_type {
  bind_kind kind;
  bind_scalar scalar; /**< BIND_NONE unless INTEGER, REAL, ENUM or ARRAY */
  const char *c;      /**< C spelling that a name can follow: "double ", "const DLTensor *" */
  const char *own;    /**< how the header spells it if twins spell it otherwise: "double _Complex ";
                         else NULL */
  const bind_enum *enumeration; /**< NULL unless ENUM */
  const bind_handle *handle;    /**< NULL unless HANDLE, or an ARRAY of objects */
  const bind_struct *structure; /**< NULL unless STRUCT */
  int items; /**< of a field that is an array: how many, each of this kind; of a text, how many
                bytes its memory has; 0 for one value */
  const char
      *alias; /**< of OTHER, and a HANDLE without handle: the typedef of a pointer, "PlanHandle" */
  const char *elements; /**< of OTHER: the dtype behind a pointer, or behind a pointer to one, "any"
                           for void; else NULL */
} bind_type;

/** Tell whether C gets an object by value. */
static inline bool bind_is_copied(const bind_type *type) {
  return type->kind == BIND_HANDLE && type->own;
}

/** Tell whether a type is a pointer to a function, of which C gets only NULL. */
static inline bool bind_is_function(const bind_type *type) {
  return type->kind == BIND_OTHER && !*type->c;
}

typedef enum bind_direction {
  BIND_IN,   /**< read only */
  BIND_OUT,  /**< written only: callers may leave it out if the function has new_name */
  BIND_INOUT /**< read and written: always given, never made */
} bind_direction;

/** Default of a parameter, from the contract. */
typedef enum bind_default_kind {
  BIND_NO_DEFAULT,
  BIND_DEFAULT_NUMBER, /**< text: a literal that C, Python, Rust, Go and Julia all read; a real has
                          '.' or 'e' */
  BIND_DEFAULT_BOOL,   /**< truth */
  BIND_DEFAULT_ENUMERATOR, /**< enumerator; of flags several, or-ed: next */
  BIND_DEFAULT_CHARACTER,  /**< text: one character of ASCII that needs no escape */
  BIND_DEFAULT_COMPLEX,    /**< text and imaginary: literals of reals */
  BIND_DEFAULT_STRING      /**< text, without quotes, plain ASCII without '"', '\\' and '$' */
} bind_default_kind;

typedef struct bind_default {
  bind_default_kind kind;
  bool truth;
  const char *text, *imaginary;
  const bind_enumerator *enumerator;
  const struct bind_default *next; /**< the next flag, or NULL */
} bind_default;

/** A given tensor that C describes by a pointer to its first element. */
typedef struct bind_gift {
  bind_gift_kind kind;
  bool until_change;    /**< of BIND_GIFT_LENT: only until a call changes the handle */
  bool filled;          /**< C fills in a DLManagedTensor of the call's */
  const char *pointer;  /**< how C spells it: "const float *"; that struct's name if it is filled */
  bool is_result;       /**< C returns it; otherwise C writes it behind a pointer */
  const char *freed;    /**< of BIND_GIFT_FREED: the function that frees it */
  bool handle_first;    /**< it takes the handle, then the memory; otherwise the memory, then the
                           handle, if any */
  const char *handle;   /**< the parameter with the handle that lends or frees it, or NULL */
  const char *handle_c; /**< how C spells that handle's value: "BagHandle " */
  bool handle_is_integer;
  const char *extents,
      *rank; /**< parameters through which C gives all extents, and their number; NULL for none */
  const char *lock;          /**< the named lock of `freed`, or NULL */
  const bind_struct *holder; /**< C writes the pointer into such a struct, in its field `gives`;
                                `freed` clears the struct; or NULL */
} bind_gift;

/** A text that a `const char *` alone does not tell. */
typedef struct bind_text_use {
  bind_text_kind kind;
  const char *name;    /**< of the parameter */
  const char *mode;    /**< of a path: how the call opens the file that C gets, "rb"; or NULL */
  const char *pointer; /**< how C spells the pointer to the characters, or to those of a given
                          list: "const char *", "char **" */
  bool wide;           /**< they are wchar_t */
  bool many;           /**< C gives a list: callers get one, */
  const char *counted; /**< with as many as this parameter or field says; NULL if NULL ends it */
  bool or_none;        /**< NULL is an empty one */
  const char *freed;   /**< the function that frees it once it is copied, or NULL */
  const bind_struct *holder; /**< C writes it into such a struct, which `freed` clears; or NULL */
  const char *lock;          /**< the named lock of `freed` that the call has not taken, or NULL */
  const char *room;    /**< of a buffer: its size, a parameter, a number or a constant; NULL if the
                          call chooses it */
  const char *written; /**< of a buffer: the name of the length that C reports, or NULL */
  const char *release; /**< the twins' function that frees the caller's copy */
  bool reports_result; /**< C returns that length */
  bool grown;          /**< the length is what C needs: the call is made again with more memory */
} bind_text_use;

/** The extents, the strides or the number of the axes of a tensor, which the call passes. */
typedef struct bind_axes {
  bind_axes_kind kind;
  const char *tensor; /**< the parameter with the tensor */
  const char *like;   /**< one with an array that has a number for each axis, or NULL */
  const char *text;   /**< "shape(op, startp)" */
  bind_type item;     /**< of C's numbers: "size_t " */
} bind_axes;

/** A parameter through which C reports a failure: a place for a code, or an object of the call's.
 */
typedef struct bind_report {
  const char *c;      /**< how C spells the variable of the call: "cl_int ", "TF_Status *" */
  const char *said;   /**< "status from TF_GetCode" */
  const char *code_c; /**< how C spells the code: "TF_Code " */
  const char *made;   /**< of an object: the function that makes it; NULL for a code */
  const char *from;   /**< the one that reads its code, */
  const char *text;   /**< the one that reads its text, or NULL, */
  const char *freed;  /**< and the twins' function that frees it */
} bind_report;

/** What such a callback copies, of its parameters a0, a1, ... */
typedef struct bind_collected {
  const char *value; /**< "a0", "a2->level" */
  const char *size;  /**< of a text without a NUL: "a1", "a2->content_len"; or NULL */
  const char *from;  /**< "a2", the struct that it is a field of, or NULL */
  bool behind;       /**< it points to a row of numbers */
  bool optional;     /**< it is a text, for which NULL is an empty one */
} bind_collected;

/** A callback of the call's own, which copies what C passes to it: `callback: collects name`. */
typedef struct bind_collector {
  const char *callback;     /**< the parameter */
  const char *said;         /**< "collects name, value" */
  const c_function *called; /**< what C calls */
  int data;                 /**< among its parameters: what C hands on to it */
  bind_collected *items;
  int count;
} bind_collector;

/** What C gets for it. */
typedef enum bind_collects {
  BIND_COLLECTS_NONE,
  BIND_COLLECTS_CALLBACK, /**< the callback */
  BIND_COLLECTS_DATA      /**< what C hands on to it */
} bind_collects;

/** What a parameter of C has to do with a text. */
typedef enum bind_text_part {
  BIND_TEXT_ITSELF,  /**< it is the text */
  BIND_TEXT_ROOM,    /**< the size of its memory, which the call chooses */
  BIND_TEXT_WRITTEN, /**< where C writes how long it is */
  BIND_TEXT_LENGTH,  /**< its length */
  BIND_TEXT_WHY      /**< where C writes why it failed */
} bind_text_part;

typedef struct bind_param {
  const char *name; /**< as in C; a parameter without a name is called arg1, arg2, ... */
  bind_type type;
  bind_direction direction;
  bool interface; /**< behind `pointer`: C gets the JSON text of the tensor's array interface
                     (NumPy's protocol) */
  bool lowest;    /**< behind `pointer`: to the element at the lowest address: BLAS's convention */
  bool optional;  /**< it may be absent, as None, Option, nil or nothing: a tensor, dlf_arg {NULL,
                     0}; an object, a text or a number behind a pointer, NULL */
  bool made; /**< an output that f_new makes: plain OUT, not optional, function->new_name is set */
  bool returned; /**< a result in both twins: GIVEN, HANDLE made, or a scalar behind a pointer
                    (double *value); such a scalar with INOUT is passed as well, see bind_is_read */
  bool counts;   /**< how many elements C wrote to a given output along an axis: returned, and in
                    f_checked alone, since what f_new makes it cuts */
  bool
      kept; /**< C keeps the pointer, so callers pass an owning tensor: dlf_tensor * in the twins */
  bool in_place;       /**< an object that C makes ready in memory of the twin's: returned */
  bool array;          /**< C declares it as an array: `double x[]` */
  bool is_gift_extent; /**< while it is read: C writes an extent of a gift there, so callers do not
                          get it */
  const char *pointer; /**< how C spells a tensor's type if C takes a pointer to its first element:
                          "const float *"; NULL if C takes a DLTensor *. Also that of one number
                          behind a pointer that the clause names: "const void *" */
  const char
      *behind; /**< of a struct to which C writes a pointer: how C spells that, "const x_y *" */
  const char *freed; /**< and the function that frees it once it is copied, or NULL */
  bool managed;      /**< a tensor that C takes as a DLManagedTensor, which it only reads */
  bool enums;        /**< a tensor whose elements are enums in C */
  int row; /**< of a tensor: C's elements are structs of one array of so many numbers; else 0 */
  const char *scratch;   /**< C's type of elements, of which the call makes as many as the contract
                            computes: "double"; NULL for others */
  const char *letters;   /**< the characters that are allowed for a BIND_CHAR: "UL"; "" for any */
  const bind_gift *gift; /**< of a GIVEN one, if C gives a pointer to elements; else NULL */
  const bind_text_use *text; /**< of what belongs to a text with a clause of its own, else NULL */
  bind_text_part text_part;
  const bind_axes *axes;     /**< the call computes it from a tensor's axes; else NULL */
  const bind_report *report; /**< C reports a failure there; else NULL */
  bind_collects collects;    /**< the call passes it */
  int collected;         /**< of a result: which of those that a callback copies, from 1; else 0 */
  bool kept_object;      /**< an object that is freed after the one that keeps it */
  bool taken;            /**< a kept one that C frees with the one that keeps it */
  bool ended;            /**< an object that C frees within the call */
  const char *made_from; /**< of an object: the parameter with the one from which it must have been
                            made, or NULL */
  const char *kept_in; /**< of a kept one: the parameter with the handle that keeps it; NULL for the
                          one that is made */
  const char *length; /**< of an array: its length, "16" or a parameter: `const uint8_t key[16]`; ""
                         if the header does not say which it is; NULL for `double x[]` */
  const char *spelled;  /**< the name that a typedef gives a pointer: "voidp"; else "" */
  const char *doc;      /**< from @param, one paragraph */
  const char *note;     /**< plain comments beside it, which only guesses read; or "" */
  const char *contract; /**< a tensor's clause as the messages show it: "T[h, w, c] noalias"; "" for
                           others */
  const char *limits;   /**< constraints that name it: "sigma > 0"; joined by "; ", may be "" */
  const char *words; /**< the clause in plain English, for docs: "array of float32 with shape (n,),
                        contiguous"; "" */
  const char
      *limits_words; /**< the constraints in plain English: "sigma > 0 and sigma <= 1000"; or "" */
  bind_default def;
  bool printed; /**< the text for a format of C's, which is "%s" before it */
} bind_param;

/** Tell whether a BIND_ARRAY has texts instead of numbers. */
static inline bool bind_is_text_list(const bind_param *p) {
  return p->text && p->text->kind == BIND_TEXT_LIST;
}

/** Tell whether a BIND_ARRAY has objects. */
static inline bool bind_is_object_list(const bind_param *p) {
  return p->type.kind == BIND_ARRAY && p->type.handle;
}

/** Tell whether a parameter is one object that callers pass. */
static inline bool bind_is_object(const bind_param *p) {
  return p->type.kind == BIND_HANDLE && p->type.handle && !p->returned;
}

/** Tell whether a result is a list of texts. */
static inline bool bind_is_given_list(const bind_param *p) {
  return p->text && p->text->many;
}

/** Tell whether a parameter has a value before the call. */
static inline bool bind_is_read(const bind_param *p) {
  return !p->returned || p->direction == BIND_INOUT;
}

/** An argument of the C function itself, in its order. */
typedef struct bind_c_param {
  const bind_param
      *param; /**< NULL for the count of a list or an array, and for a derived argument */
  const bind_param *count_of; /**< the list or array that is counted, else NULL */
  const bind_text_use *text;  /**< the text to which it belongs, or NULL */
  bind_text_part text_part;
  const bind_axes *axes;     /**< of a derived argument that is about a tensor's axes, or NULL */
  const bind_report *report; /**< C reports a failure there; else NULL */
  bind_collects collects;    /**< it is the callback that collects, or its data */
  bool by_pointer;           /**< C takes a pointer to the derived number */
  const char *scratch;       /**< or to as many elements of this type: "double"; else NULL */
  const char *place; /**< the type of a variable to which C gets a pointer, for an extent of a gift:
                        "int "; else NULL */
  const char
      *derived; /**< what computes an argument that callers do not pass: "ld(a)"; NULL for others */
  const char *counts;   /**< the extent that C reports here, behind a pointer; NULL for others */
  const char *field_of; /**< the struct of C of which it is a field; NULL for others */
  bind_type type;
  const char *name;
} bind_c_param;

/** An argument of a hook. */
typedef struct bind_hook_arg {
  const char *name;        /**< of the hook's parameter */
  bind_type type;          /**< that parameter's */
  const bind_param *param; /**< what the caller passes; NULL if it is computed: */
  const char *derived;     /**< "n * 4", "bytes(x)", K_CONSTANT; for a parameter its name */
  int found;               /**< of an object that another hook finds: that hook; else -1 */
} bind_hook_arg;

/** hook(f): a number that another function of the header computes, for an extent or a constraint.
 */
typedef struct bind_hook {
  const char *name; /**< in C: sr_length; of a field "model->nv" */
  const char
      *field; /**< "nv", "ne[2]": no function, but a field of the object in args; else NULL */
  const char *unshown;    /**< why the field is none of C's, so that the object must keep it as a
                             fact; or NULL */
  bool of_elements;       /**< a function of the twins about the elements of the array in args */
  bool of_reals;          /**< which are reals, not integers */
  const char *short_name; /**< length */
  const char *text;       /**< "hook(sr_length)" */
  bind_hook_arg *args;    /**< without the place of the result */
  int arg_count;
  const bind_param *list; /**< of objects, for each of which it is called; or NULL */
  int place;        /**< the parameter that points to the result; -1 if the function returns it */
  const char *part; /**< "size": the field of the struct behind that; NULL for a number */
  const char *told; /**< how C spells the struct */
  bind_type result; /**< the type of the number in C */
  bool status; /**< what the function returns is a status of the kind that the calling function has
                */
  const bind_handle *object; /**< it returns an object of that type: 1, or 0 for NULL; else NULL */
  bool passed;               /**< another hook gets that object */
  const char *returned;      /**< how C spells the type of that */
  bool early;                /**< it runs before the check, since an input has the extent */
} bind_hook;

/** A number that a call leaves with an object, which nothing of C tells later: `keeps channels in
 * result`. */
typedef struct bind_fact {
  const char *name;          /**< as hook(object->name) reads it */
  const char *param;         /**< the argument of C, or the struct, that has it */
  const char *field;         /**< its field of the struct; NULL for an argument */
  const char *in;            /**< the parameter with the object; NULL for the one that is made */
  const bind_handle *handle; /**< the object's class */
  bind_type type;            /**< of the number in C */
} bind_fact;

typedef enum bind_return {
  BIND_RETURN_VOID,
  BIND_RETURN_STATUS, /**< an int or dlf_status: the twin converts it to a dlf_status, callers get
                         no value */
  BIND_RETURN_VALUE,  /**< of the type in result: the twin has a last parameter `T *result` before
                         error */
  BIND_RETURN_COUNT   /**< how many elements C wrote, see bind_param's counts; callers get no other
                         value */
} bind_return;

/** The length of a call, from the contract, for runtimes that hold a lock of their own. */
typedef enum bind_speed { BIND_NO_SPEED, BIND_SLOW, BIND_FAST } bind_speed;

/** One of the C functions behind a family: the one for tensors of this dtype. */
typedef struct bind_member {
  const char *dtype; /**< short: "f32" */
  struct bind_function *function;
} bind_member;

/** A field of a struct that is a parameter of its own. */
typedef struct bind_spread_field {
  const char *name;   /**< of the parameter */
  const char *member; /**< of C's struct, often the same */
  const char *c;      /**< how C spells its type: "const float *", "long " */
  bool written;       /**< C writes it: the parameter is a pointer to it */
} bind_spread_field;

/** `data: fields`: callers pass the fields of a struct, and only the call of C puts them together.
 */
typedef struct bind_spread {
  const char *name; /**< the parameter in C: data */
  const char *c;    /**< how C spells its type: "SRC_DATA *" */
  const bind_struct *structure;
  bool behind;      /**< C takes a pointer to it */
  bool is_result;   /**< C returns it */
  const char *list; /**< n of a list of n structs, each field of which is a list; NULL for one */
  bind_spread_field *fields;
  int count;
} bind_spread;

typedef struct bind_function {
  const char *name; /**< in C: photo_blur; of a family its name with the prefix */
  const char *own; /**< names what is static in the twins: short_name, or "gemm_f32" for a member of
                      a family */
  bind_member *members; /**< of a family; the twin chooses one by the dtype of `dispatch` */
  int member_count;
  bool infers; /* its own contract determines the outputs that f_new makes, without those of the
                  members */
  const bind_param *dispatch;
  const struct bind_function *family; /**< of a member: callers get the family instead */
  const char *said;                   /**< while it is read: its contract, as written */
  const char *short_name;             /**< prefix stripped: blur. Messages begin with it. */
  const char *checked_name;           /**< photo_blur_checked */
  const char
      *new_name; /**< photo_blur_new, or NULL if it has no output to make or cannot infer one */
  const char *summary;     /**< first sentence, one line */
  const char *description; /**< the text after it, with its paragraphs, or "" */
  const char *returns_doc; /**< from @return */
  const char
      *deprecated;      /**< what @deprecated or C's attribute says, "" if nothing; NULL without */
  const char *contract; /**< all clauses, "; " between them: "image: T[h, w]; out: T[h, w] noalias;
                           T in f32|f64" */
  const struct dlf_contract *compiled; /**< that text; its parameters are c_params. Never NULL once
                                          the function is bound */
  const char *derived_words; /**< C's arguments that callers do not pass: "M, N, lda"; or "" */
  bind_param *params;        /**< in C's order, without counts of lists and arrays and without the
                                dlf_error *. Callers pass those that are neither `made` (in f_new) nor
                                `returned` nor a stream */
  int param_count;
  bind_c_param *c_params; /**< the arguments of C, counts too, without the dlf_error *: the
                             contract's parameters */
  int c_param_count;
  bind_spread *spreads; /**< structs of which c_params has the fields */
  int spread_count;
  bind_hook *hooks; /**< in the contract's order; their values follow those of c_params */
  int hook_count;
  bind_fact *facts; /**< what its objects keep */
  int fact_count;
  const bind_handle *method_of; /**< the handle of which it is a method, or NULL */
  const bind_handle *creates;   /**< the handle that it makes or lends, or NULL */
  const char *lender; /**< for guesses: by its name, a parameter with the object that lends what it
                         returns; or NULL */
  const char *may_keep; /**< for guesses: the clause of an object that C may keep, "keeps part in
                           it"; or NULL */
  bool borrows;         /**< C frees what it returns with the object of `owner`, or never */
  const bind_param
      *ends_with;          /**< what it makes is freed by a call that needs this object; or NULL */
  const char *owner;       /**< the parameter with that object; NULL for never */
  const char *method_name; /**< short_name without the handle's name: "encode"; of a property
                              "level", "set_level" */
  const char
      *property; /**< the property of its object that it reads or sets: "level"; NULL for others */
  bool sets;     /**< it sets the property, which another one reads */
  const struct bind_function *setter; /**< of a getter: what sets the property, or NULL */
  struct bind_function *next;         /**< the next one at the same handle, or NULL */
  const char *said_property; /**< while it is read: the clause's name, "" for its own; else NULL */
  bool said_method;          /**< while it is read: the clause says that it is no property */
  bool sure;                 /**< nothing can fail, if its objects are open */
  bool threadsafe;           /**< it locks its handles by itself */
  bool unchanged;            /**< it leaves alone what its handles have lent */
  const char *lock;          /**< the lock of the process that it takes, or NULL */
  bind_speed speed;
  bool takes_error; /**< the C function itself has a last parameter dlf_error * */
  bind_return returns;
  bind_type result;           /**< the C return type, for any `returns` */
  bool result_behind;         /**< C returns a pointer to that struct, which the call copies */
  bool frees_result;          /**< and frees by the struct's `freed` */
  bool result_optional;       /**< a text or an object that is returned may be NULL */
  int64_t ok;                 /**< the status that means success, or: */
  bool from;                  /**< of a VALUE: what is below `ok` is a failure */
  bool info;                  /**< a status -i is about C's argument i, from 1 */
  const char *status_message; /**< the text of a failure, or NULL */
  const char *status_text;    /**< C function that names a status, or the last failure, or NULL */
  bool status_text_bare;      /**< it takes no status: the last failure */
  const char
      *status_text_field;     /**< it returns a pointer to a struct with the text here; or NULL */
  const bind_text_use *fault; /**< where C writes the text of a failure, or NULL */
  const bind_report *report;  /**< the parameter through which it reports one, or NULL */
  bind_collector *collect;    /**< its callback that collects, or NULL */
  bool commented;             /**< its comment has a contract */
  bool named;                 /**< the file of contracts has a block for it */
  bool reviewed; /**< a contract was written or accepted for it, not only for many by `every` */
  const char *unbound;  /**< why it is not bound, or NULL; bind_next_function skips it */
  const char **reasons; /**< all reasons that are known, the first is `unbound` */
  int reason_count, reason_capacity;
  const c_function *declared;    /**< as C declares it; NULL of a family */
  const struct bind_case *cases; /**< calls for generated tests, see cases.h; NULL for none */
  const char *untested;          /**< rules that no case breaks, one a line; NULL for none */
  int header;                    /**< index into bind_ir.headers */
  int line;
} bind_function;

/** A file that packages carry. */
typedef struct bind_file {
  const char *name; /**< without folders */
  const char *data;
  size_t size;
} bind_file;

/** What --package-file says of the packages: "", NULL and 0 without it. */
typedef struct bind_package {
  const char *version; /**< three numbers; "" leaves the one that a manifest has */
  const char *license; /**< SPDX expression */
  const char *homepage;
  const char **authors; /**< "Name" or "Name <address>" */
  int author_count;
  bind_file *license_files; /**< packages carry them */
  int license_file_count;
} bind_package;

typedef struct bind_ir {
  const c_header *declared; /**< what the headers declare; NULL until they are parsed */
  const lex_list *read;     /**< their tokens and macros */
  const char *name;         /**< of the package: photo */
  const char *prefix;       /**< photo_ */
  const char *version;      /**< of dlferry-bind: 0.3.0 */
  const char *command; /**< the command for line 1, folders left out, without --lang and --out */
  const char **
      links; /**< --link: libraries that the sources call, as the linker names them: "samplerate" */
  int link_count;
  bind_package package;
  const char *license; /**< SPDX expression in the header's first lines, else "" */
  const char
      *summary; /**< of the header, from a comment with @file or @brief at its top, else "" */
  const char *go_module; /**< import path of the Go package; by default the name */
  bool go_inside;        /**< the Go package is part of a module that exists: no go.mod */
  bind_file *headers;    /**< the user's, at least one */
  int header_count;
  const char **modules; /**< a name for the names of each header, in small letters; NULL if there is
                           one header */
  const char *title;    /**< their names: "photo.h" or "a.h, b.h" */
  const char *preprocessed; /**< what the compiler's preprocessor makes of them, or NULL */
  const char *
      *includes; /**< what the emitted C includes: the headers' names, or those of --include */
  int include_count;
  bool carried;       /**< packages have the headers themselves: there is no --include */
  bind_file *sources; /**< --source: the user's kernels */
  int source_count;
  bind_file twin_h; /**< NAME_dlferry.h as just emitted */
  bind_file twin_c; /**< NAME_dlferry.c */
  bind_enum *enums; /**< those of the header, in its order */
  int enum_count;
  bind_constant *constants;
  int constant_count;
  bind_handle *handles; /**< opaque structs that can be freed, in the header's order */
  int handle_count;
  bind_struct *structs; /**< the first of them: those that a function or a contract names */
  const char **guesses; /**< clauses that might make handles: "handle X freed X_drop made X_start";
                           each once */
  int guess_count, guess_capacity;
  bind_index guessed_types;   /**< their X: the places of guesses */
  bind_index guessed_freeing; /**< their X_drop likewise */
  int *refused;               /**< lines of the file of contracts at which it is refused */
  int refused_count, refused_capacity;
  bind_function *functions; /**< those of the header, in its order */
  int function_count;
  int hidden;                /**< functions that callers do not get */
  bool deprecates;           /**< C warns where something of the headers is used */
  int freeing_count;         /**< those that free what tensors own */
  int left_out;              /**< functions whose names clash in a language */
  bind_index types;          /**< enums and handles by their PascalCase names */
  bind_index function_names; /**< as callers see them: method_name at a handle, else
                       short_name */
} bind_ir;

/** Run a block for each parameter of a function: as callers see them, and as C has them. */
#define BIND_EACH_PARAM(p, f) BIND_EACH (const bind_param, p, (f)->params, (f)->param_count)
#define BIND_EACH_C_PARAM(p, f) BIND_EACH (const bind_c_param, p, (f)->c_params, (f)->c_param_count)

/** Run a block for each enum, each handle, and each function, also those that are not bound. */
#define BIND_EACH_ENUM(e, ir) BIND_EACH (const bind_enum, e, (ir)->enums, (ir)->enum_count)
#define BIND_EACH_HANDLE(h, ir) BIND_EACH (const bind_handle, h, (ir)->handles, (ir)->handle_count)
#define BIND_EACH_DECLARED(f, ir)                                                                  \
  BIND_EACH (const bind_function, f, (ir)->functions, (ir)->function_count)

/** Run a block for each struct that a bound function has. */
#define BIND_EACH_STRUCT(s, ir)                                                                    \
  for (const bind_struct *s = (ir)->structs; s; s = s->next)                                       \
    if (s->used)

/** Return what to write about a function that is left out for this reason, "" if the reason says
 * it.
 */
const char *bind_advice(const char *reason);

/** Tell whether two objects of a call may be one in C, which the call may not change or free:
 * earlier is a parameter before p. */
bool bind_may_be_one(const bind_function *f, const bind_param *earlier, const bind_param *p);

/** Tell whether a call may change a handle that lends tensors until it changes, so that it is
 * refused as long as one lives. */
bool bind_changes_lender(const bind_function *f, const bind_param *p);

/** Tell whether callers find a function at the class of what it makes, not at an object. */
bool bind_is_static(const bind_function *f);

/** Return the handle at which callers find a function, its method or what makes it; NULL for none.
 */
const bind_handle *bind_home(const bind_function *f);

#endif
