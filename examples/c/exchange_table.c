/* SPDX-License-Identifier: Apache-2.0 */
/* Exchange tensors through a framework's table of C functions, which PyTorch keeps in
 * __dlpack_c_exchange_api__. Here dlferry itself plays the framework: its objects are of type
 * dlf_tensor. */
#include "example.h"

int main(void) {
  dlf_error error;
  const int64_t shape[] = {2, 2};
  const DLDevice cpu = {kDLCPU, 0};
  const DLPackExchangeAPI *table;
  dlf_tensor *tensor, *imported;
  DLTensor borrowed;
  void *object, *stream;

  /* Find the version of the table that this library can read. */
  TRY(dlf_exchange_find(dlf_exchange_api(), &table, &error));

  TRY(dlf_exchange_create(table, (DLDataType){kDLFloat, 32, 1}, 2, shape, cpu, &tensor, &error));
  TRY(dlf_exchange_export(
      table, tensor, &object, &error)); /* an object of the framework's that keeps the tensor */

  /* Borrow it for a short call, or import it to keep it. */
  TRY(dlf_exchange_borrow(table, object, &borrowed, &error));
  EXPECT(borrowed.data == dlf_dltensor(tensor)->data);
  TRY(dlf_exchange_import(table, object, &imported, &error));
  EXPECT(dlf_dltensor(imported)->data == borrowed.data);

  TRY(dlf_exchange_stream(table, cpu, &stream, &error)); /* where the framework works at present */
  EXPECT(stream == NULL);

  dlf_release(imported);
  dlf_release(object);
  dlf_release(tensor);
  EXPECT(dlf_live() == 0);
  return 0;
}
