/* SPDX-License-Identifier: Apache-2.0 */
/* Give a tensor to another library through DLPack, and take one from it. */
#include "example.h"

int main(void) {
  dlf_error error;
  const int64_t shape[] = {4};
  dlf_tensor *mine, *theirs;
  DLManagedTensorVersioned *managed;
  DLManagedTensor *legacy;
  TRY(dlf_create((DLDataType){kDLFloat, 32, 1}, 1, shape, (DLDevice){kDLCPU, 0}, &mine, &error));

  /* The consumer gets the same memory, and keeps it alive until it calls the deleter. */
  TRY(dlf_to_dlpack(mine, &managed, &error));
  EXPECT(managed->version.major == DLF_DLPACK_MAJOR &&
         managed->dl_tensor.data == dlf_dltensor(mine)->data);
  dlf_dlpack_release(managed);

  /* Libraries from before DLPack 1.0 take the older structure. */
  TRY(dlf_to_dlpack_legacy(mine, &legacy, &error));
  dlf_dlpack_release_legacy(legacy);

  /* A consumer that wants to write alone gets a copy. */
  TRY(dlf_to_dlpack_copy(mine, &managed, &error));
  EXPECT(managed->flags & DLPACK_FLAG_BITMASK_IS_COPIED);
  EXPECT(managed->dl_tensor.data != dlf_dltensor(mine)->data);

  /* Import checks the structure and takes it: the handle calls the deleter. */
  TRY(dlf_from_dlpack(managed, &theirs, &error));

  /* A handle that is not needed any more goes with its export, without counting. */
  TRY(dlf_into_dlpack(theirs, &managed, &error));
  dlf_dlpack_release(managed);
  TRY(dlf_to_dlpack_legacy(mine, &legacy, &error));
  TRY(dlf_from_dlpack_legacy(legacy, &theirs, &error));
  dlf_release(theirs);

  /* After a failed import the caller still owns its tensor. */
  TRY(dlf_to_dlpack_copy(mine, &managed, &error));
  managed->version.major = 9;
  EXPECT(dlf_from_dlpack(managed, &theirs, &error) == DLF_VERSION);
  dlf_dlpack_release(managed);

  /* A consumer's wishes are those of Python's __dlpack__: here a copy, for a consumer that reads
   * DLPack 0.8. */
  dlf_export_options options = DLF_EXPORT_OPTIONS_INIT;
  options.max_version.major = 0;
  options.copy = DLF_COPY_ALWAYS;
  TRY(dlf_export(mine, &options, &managed, &legacy, &error));
  EXPECT(managed == NULL && legacy->dl_tensor.data != dlf_dltensor(mine)->data);

  /* One structure becomes the other without a copy. The caller adds the flags, which the legacy
   * structure lacks. */
  TRY(dlf_versioned_from_legacy(legacy, DLPACK_FLAG_BITMASK_READ_ONLY, &managed, &error));
  TRY(dlf_check_managed(managed, DLF_CHECK_STRICT, &error));
  EXPECT(dlf_legacy_from_versioned(managed, &legacy, &error) == DLF_READ_ONLY);
  dlf_dlpack_release(managed);

  /* An importer asks for a device: the data is already there, so the handle comes back. */
  TRY(dlf_to_device(mine, (DLDevice){kDLCPU, 0}, DLF_COPY_IF_NEEDED, &theirs, &error));
  EXPECT(theirs == mine);
  dlf_release(theirs);

  dlf_release(mine);
  EXPECT(dlf_live() == 0);
  return 0;
}
