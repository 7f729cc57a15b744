/* SPDX-License-Identifier: Apache-2.0 */
/* Structs with public fields, for the tests of the generator. */
#ifndef STRUCTS_H
#define STRUCTS_H

typedef enum structs_mode { STRUCTS_SLOW, STRUCTS_FAST } structs_mode;

/** How samples lie. */
typedef struct structs_format {
  double gain; /**< a factor */
  int rate;
  structs_mode mode;
  void *owner;
} structs_format;
structs_format structs_usual(void);
/** Play it. */
int structs_play(const structs_format *format, int seconds);

/** What goes in and out. */
typedef struct structs_data {
  const float *in;
  long count, used;
} structs_data;
int structs_process(structs_data *data);

#define STRUCTS_KEY 20
/** A key and a matrix. */
typedef struct structs_key {
  unsigned char id[STRUCTS_KEY];
  float m[9];
} structs_key;
int structs_find(const structs_key *key, int times);

/* ---- those that stay out ---- */

struct structs_square {
  double cells[3][3];
};
int structs_of_square(struct structs_square square);
struct structs_label {
  char label[8];
};
int structs_of_label(struct structs_label label);

struct structs_bits {
  unsigned kind : 3, size;
};
int structs_of_bits(struct structs_bits bits);
struct structs_pair {
  union {
    int x;
    float y;
  };
  char name[8];
};
int structs_of_pair(struct structs_pair pair);
typedef struct structs_node {
  struct structs_node *next;
  int (*visit)(int);
} structs_node;
int structs_of_node(structs_node node);
struct structs_row {
  int count;
  double cells[];
};
int structs_of_row(const struct structs_row *row);

#endif
