/* SPDX-License-Identifier: Apache-2.0 */
/* Python objects over the hub: dlferry itself and every package made by dlferry-bind compile this
 * into their extension modules. */
#ifndef DLFERRY_PYTHON_H
#define DLFERRY_PYTHON_H

#include "python/base.h"
#include "python/buffer.h"
#include "python/call.h"
#include "python/capsule.h"
#include "python/content.h"
#include "python/copy.h"
#include "python/device.h"
#include "python/enum.h"
#include "python/error.h"
#include "python/export.h"
#include "python/import.h"
#include "python/keyword.h"
#include "python/lend.h"
#include "python/method.h"
#include "python/numpy.h"
#include "python/object.h"
#include "python/oneapi.h"
#include "python/producer.h"
#include "python/release.h"
#include "python/result.h"
#include "python/scalar.h"
#include "python/sequence.h"
#include "python/signature.h"
#include "python/size.h"
#include "python/start.h"
#include "python/stream.h"
#include "python/table.h"
#include "python/torch.h"
#include "python/type.h"

#endif
