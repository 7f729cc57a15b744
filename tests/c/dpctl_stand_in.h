/* SPDX-License-Identifier: Apache-2.0 */
/* The stand-in's allocations. It has the root devices 0 and 1 on one platform, 2 on another, and 3
 * on one without a default context. */
#ifndef DPCTL_STAND_IN_H
#define DPCTL_STAND_IN_H

enum {
  USM_DEVICE_0,
  USM_SHARED_0,
  USM_HOST_0,
  USM_DEVICE_1,
  USM_SHARED_PART, /* made on a part of device 1 */
  USM_SHARED_2,
  USM_OTHER_CONTEXT, /* bound to no default context */
  USM_UNLISTED,      /* made on a device that is not listed */
  USM_NOWHERE,       /* the library does not find its device */
  USM_COUNT
};

void *stand_in_memory(int which);
int stand_in_given(void);

#endif
