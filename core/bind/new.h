/* SPDX-License-Identifier: Apache-2.0 */
/* Commands beside reading a header. */
#ifndef DLFERRY_BIND_NEW_H
#define DLFERRY_BIND_NEW_H

/* Write a project's first files below the folder; none when any of them is there. The exit status. */
int new_project(const char *name, const char *folder);

#endif
