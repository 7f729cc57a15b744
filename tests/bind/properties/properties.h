/* SPDX-License-Identifier: Apache-2.0 */
/* Getters and setters of every style. Their contracts are in properties.contracts. */
#ifndef PROPERTIES_H
#define PROPERTIES_H

#include <stdbool.h>
#include <stdint.h>

typedef enum q_mode { Q_FAST, Q_EXACT } q_mode;

/** A lamp. */
typedef struct q_lamp q_lamp;
q_lamp *q_lamp_new(const char *name);
void q_lamp_free(q_lamp *lamp);

/** The brightness in percent. */
int32_t q_lamp_get_level(const q_lamp *lamp);
/** Dimming takes no time. */
void q_lamp_set_level(q_lamp *lamp, int32_t level);

/** The weight in kilograms. */
double q_lamp_get_weight(const q_lamp *lamp);

/* A pair is one without const, too. */
q_mode q_lamp_get_mode(q_lamp *lamp);
void q_lamp_set_mode(q_lamp *lamp, q_mode mode);

/* A pair without "get", whose setter may fail. */
bool q_lamp_lit(const q_lamp *lamp);
int q_lamp_set_lit(q_lamp *lamp, bool lit);

/* Texts, one of which may be absent. */
const char *q_lamp_get_name(const q_lamp *lamp);
void q_lamp_set_name(q_lamp *lamp, const char *name);
const char *q_lamp_get_owner(const q_lamp *lamp);

/* A clause makes these properties: a code and a number behind a pointer, a getter of faiss's style.
 */
int q_lamp_colour(q_lamp *lamp, double *hue);
int64_t q_lamp_id(const q_lamp *lamp);

/** @deprecated Read `level`. */
int32_t q_lamp_get_brightness(const q_lamp *lamp);

/* None of these is a property: one changes the lamp, one is said to be a method, others have other
 * parameters. */
int32_t q_lamp_get_next(q_lamp *lamp);
int32_t q_lamp_get_age(const q_lamp *lamp);
int32_t q_lamp_get_sum(const q_lamp *lamp, int32_t more);
void q_lamp_set_all(q_lamp *lamp, int32_t level, q_mode mode);
int32_t q_lamp_set_seed(q_lamp *lamp, int32_t seed);

/** How many lamps are alive. */
int64_t q_live(void);

#endif
