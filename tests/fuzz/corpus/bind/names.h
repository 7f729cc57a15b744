int k_type(int self, int fn, int func, int end, int begin, int lambda, int None, int class_, int error_, int i, int result);
int k_import(int x);
int k_lock(dlf_stream stream, const DLTensor *new, DLTensor *range);
