typedef const double vector[3];
int k_f(vector v, const int64_t axes[static const 3], int (*g)(int, ...), unsigned long long n, long double d, _Complex float c);
struct k_s { int a : 3; union { float f; }; struct k_s *next; };
int (*k_h(int a))[3]; _Static_assert(1, ")"); extern int k_var, *k_two;
extern "C" { [[nodiscard]] int k_g(register int a __attribute__((unused)), char const *const restrict s, ...); }
static inline int k_i(int a) { return (a); }
