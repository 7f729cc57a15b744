/* SPDX-License-Identifier: Apache-2.0 */
/* --new NAME DIR. */
#ifndef DLFERRY_BIND_NEW_H
#define DLFERRY_BIND_NEW_H

/* Write the first files of a project below the folder, or none if one of them exists. Returns the
 * exit status. */
int new_project(const char *name, const char *folder);

#endif
