/** F.
 * @contract x: T[h, w, ...] strided align 64;  y: inout like x noalias;  z: opt any[_, 2*h+1]
 * @contract rows: f64[m] *n;  w: f64 *n;  out: T[h /^ s, hook(k_len)] cuda|cpu;  T in f32|bf16|f32_x4
 * @contract s > 0;  h % 2;  n in 1..4;  return: status ok 1 text k_text */
int k_f(const DLTensor *x, DLTensor *y, const DLTensor *z, const DLTensor *const *rows, const double *w, int32_t n, int s, DLTensor *out);
int64_t k_len(const DLTensor *x, int s);
const char *k_text(int code);
