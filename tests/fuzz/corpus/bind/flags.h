typedef enum k_bits { K_BITS_A = 1, K_BITS_B = 2, K_BITS_C = 4 } k_bits;
/** F.
 * @contract x: f32[n];  mode = K_BITS_A;  s = "text";  b = true;  k = -5;  r = 1e-3 */
int k_f(const DLTensor *x, k_bits mode, const char *s, bool b, int8_t k, float r, dlf_error *error);
