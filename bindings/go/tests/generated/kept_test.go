// SPDX-License-Identifier: Apache-2.0

package generated

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// A kind of function with an object. Its C stays inside until the program has closed the object, so the call is the last
// to leave it, and frees it with the tensor that it keeps.
type keptKind struct {
	name     string
	result   string // in C
	params   string // after the object; those of the last two rows are all
	contract string
	body     string // after staying inside
	call     string // in Go: box or plan is the object
}

// The object is a kept_box. The last two rows have another one, a kept_plan which a lock frees, and none, but its lock.
var keptKinds = []keptKind{
	{"change", "void", "", "", "", "no(box.Change())"},
	{"read", "int", "", "method", "return box->n;", "must(box.Read())"},
	{"value", "int", "int value", "return: value", "return value;", "must(box.Value(2))"},
	{"real", "double", "double x", "x > 0;  x = 1.0", "return x;", "must(box.Real(kept.BoxRealOptions{}))"},
	{"state", "enum kept_state", "enum kept_state state", "", "return state;", "must(box.State(kept.StateOn))"},
	{"level", "int", "", "property", "return box->n;", "must(box.Level())"},
	{"refused", "int", "", "return: status", "return 1;", "refused(box.Refused())"},
	{"threadsafe", "void", "", "threadsafe", "", "no(box.Threadsafe())"},
	{"slow", "void", "", "slow", "", "no(box.Slow())"},
	{"locked", "void", "", "lock other", "", "no(box.Locked())"},
	{"found", "int", "int *value", "value: out;  return: status", "*value = 1; return 0;", "must(box.Found())"},
	{"next", "int", "int *value", "value: inout;  return: status", "++*value; return 0;", "must(box.Next(1))"},
	{"maybe", "void", "const double *x", "x: opt f64", "(void)x;", "no(box.Maybe(kept.BoxMaybeOptions{}))"},
	{"text", "const char *", "", "method", `return "text";`, "must(box.Text())"},
	{"no_text", "const char *", "", "method;  return: opt", "return NULL;", "must(box.NoText())"},
	{"say", "void", "const char *text", "", "(void)text;", `no(box.Say("text"))`},
	{"index", "void", "const int64_t *index, int n", "index: i64 *n", "(void)index; (void)n;", "no(box.Index([]int64{1, 2}))"},
	{"sum", "double", "int n, const double *x", "n := n;  x: f64[n]", "return x[n - 1];", "must(box.Sum(vector()))"},
	{"fresh", "void", "double *out", "out: out f64[3]", "out[0] = 1;", "closed(box.Fresh())"},
	{"into", "void", "double *out", "out: out f64[3]", "out[0] = 1;", "no(box.IntoInto(vector()))"},
	{"part", "int", "double *out", "out: out f64[m <= 3];  m := result", "out[0] = 1; return 1;", "closed(box.Part())"},
	{"hooked", "void", "double *out", "out: out f64[hook(kept_size(box))]", "out[0] = 1;", "closed(box.Hooked())"},
	{"list", "double", "const DLTensor *const *x, int m", "x: f64[n] *m", "return x[m - 1]->ndim;",
		"must(box.List([]dlferry.Arg{vector(), vector()}))"},
	{"copied", "int", "const double **out, uint64_t *n", "out: gives f64[n] copied;  return: status",
		"*out = box->in; *n = 3; return 0;", "closed(box.Copied())"},
	{"lent", "int", "const double **out, uint64_t *n", "out: gives f64[n] lent until free;  return: status",
		"*out = box->in; *n = 3; return 0;", "closed(box.Lent())"},
	{"freed", "double *", "", "return: gives f64[3] freed kept_give_back", "return calloc(3, sizeof(double));",
		"closed(box.Freed())"},
	{"owned", "double *", "", "return: gives f64[3] freed kept_take_back(box)", "return calloc(3, sizeof(double));",
		"closed(box.Owned())"},
	{"given", "int", "DLManagedTensorVersioned **out, dlf_error *error", "", "*out = NULL; return dlf_error_set(error, 11, \"none\");",
		"refusedGift(box.Given())"},
	{"move", "void", "struct kept_box *other", "", "(void)other;", "move(box)"},
	{"branch", "struct kept_box *", "", "", "return new_box(3, box->in);", "closedBox(kept.BoxBranch(box))"},
	{"keep", "int", "int n, const double *in", "n := n;  in: f64[n];  keeps in in box;  return: status",
		"box->in = in; return n != 3;", "keep(box)"},
	{"forget", "int", "int n, const double *in", "n := n;  in: f64[n];  keeps in in box;  return: status",
		"(void)in; return n;", "forget(box)"},
	{"plan_run", "void", "struct kept_plan *plan", "lock planner", "(void)plan;", "no(plan.Run())"},
	{"outside", "void", "void", "lock planner", "", "kept.Outside()"},
}

const keptHeader = `#ifndef KEPT_H
#define KEPT_H
#include <dlferry.h>
#include <stdbool.h>
#include <stdint.h>
struct kept_box;
enum kept_state { KEPT_STATE_OFF, KEPT_STATE_ON };
struct kept_box *kept_box_open(int n, const double *in);
void kept_box_drop(struct kept_box *box);
struct kept_plan;
struct kept_plan *kept_plan_open(int n, const double *in);
void kept_plan_drop(struct kept_plan *plan);
int kept_size(const struct kept_box *box);
void kept_give_back(double *memory);
void kept_take_back(struct kept_box *box, double *memory);
/** A round begins, until whose end the next call stays inside. */
void kept_begin(void);
bool kept_is_inside(void);
void kept_end(void);
`

const keptSource = `#define _POSIX_C_SOURCE 200809L
#include "kept.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
struct kept_box { int n; const double *in; };
static atomic_bool inside, ended;
static struct kept_box *new_box(int n, const double *in) {
  struct kept_box *box = calloc(1, sizeof *box);
  if (box) *box = (struct kept_box){n, in};
  return box;
}
struct kept_box *kept_box_open(int n, const double *in) { return new_box(n, in); }
void kept_box_drop(struct kept_box *box) { free(box); }
struct kept_plan *kept_plan_open(int n, const double *in) { return (struct kept_plan *)new_box(n, in); }
void kept_plan_drop(struct kept_plan *plan) { free(plan); }
int kept_size(const struct kept_box *box) { return box->n; }
void kept_give_back(double *memory) { free(memory); }
void kept_take_back(struct kept_box *box, double *memory) { (void)box; free(memory); }
void kept_begin(void) { atomic_store(&inside, false); atomic_store(&ended, false); }
bool kept_is_inside(void) { return atomic_load(&inside); }
void kept_end(void) { atomic_store(&ended, true); }
static void stay(void) {
  atomic_store(&inside, true);
  while (!atomic_load(&ended)) sched_yield();
}
`

const keptContracts = `handle kept_box freed kept_box_drop made kept_box_open, kept_box_branch;
kept_box_open { n := n;  in: f64[n];  keeps in in result }
handle kept_plan freed kept_plan_drop;
kept_plan_open { n := n;  in: f64[n];  keeps in in result }
kept_plan_drop { lock planner }
kept_size { }
kept_give_back { hide }
kept_take_back { hide }
`

// keptFiles are the C library with one function for each kind, its contracts, and the program's table of calls.
func keptFiles() (header, source, contracts, calls string) {
	header, source, contracts = keptHeader, keptSource, keptContracts
	calls = "package main\n\nimport (\n\tdlferry \"" + hub + "\"\n\n\t\"kept\"\n)\n\nvar calls = []call{\n"
	for i, kind := range keptKinds {
		name, params := "kept_"+kind.name, kind.params
		if i < len(keptKinds)-2 {
			name, params = "kept_box_"+kind.name, "struct kept_box *box"
			if kind.params != "" {
				params += ", " + kind.params
			}
		}
		declared := fmt.Sprintf("%s %s(%s)", kind.result, name, params)
		header += declared + ";\n"
		source += declared + " {\n  stay();\n  " + kind.body + "\n}\n"
		contracts += name + " { " + kind.contract + " }\n"
		calls += fmt.Sprintf("\t{%q, func(box *kept.Box, plan *kept.Plan) { %s }},\n", name, kind.call)
	}
	return header + "#endif\n", source, contracts, calls + "}\n\nvar _ dlferry.Arg\n"
}

// An object is closed during a call, and keeps a tensor whose deleter is Go code: cgo ends a program whose deleter runs
// inside a call that is marked nocallback.
func TestGenerated_ObjectClosedInsideACallFreesATensorOfGo(t *testing.T) {
	if testing.Short() {
		t.Skip("runs under the race detector")
	}
	work := t.TempDir()
	header, source, contracts, calls := keptFiles()
	for name, text := range map[string]string{"kept.h": header, "kept.c": source, "kept.contracts": contracts} {
		must(t, os.WriteFile(filepath.Join(work, name), []byte(text), 0o666))
	}
	generate(t, work, filepath.Join(work, "kept"), "--contracts", filepath.Join(work, "kept.contracts"))
	user := newUser(t, work, "kept", map[string]string{"kept": "kept"})
	must(t, os.WriteFile(filepath.Join(user, "calls.go"), []byte(calls), 0o666))
	if got := run(t, user, "go", "run", "-race", "."); got != "good\n" {
		t.Error(got)
	}
}
