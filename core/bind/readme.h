/* SPDX-License-Identifier: Apache-2.0 */
/* The README.md of a package: how to install it, and the functions that it has. */
#ifndef DLFERRY_BIND_README_H
#define DLFERRY_BIND_README_H

#include "emitters.h"

/** Write (or compare) LANGUAGE/README.md. A README.md that the generator did not write is the
 * user's and stays. */
void readme_write(const bind_ir *ir, bind_out *out, const bind_emitter *emitter);

#endif
