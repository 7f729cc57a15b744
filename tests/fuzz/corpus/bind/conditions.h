#define K_N 3
#define K_API(x) x
#if defined(K_N) && K_N > 2 || !defined K_X
#ifdef K_Z
int k_a(void);
#elif K_N == 3 ? 1 : 0
int k_b(int x);
#else
#error no
#endif
#endif
#undef K_N
# 12 "k.h"
# 1 "/x/y.h" 1
typedef int y;
# 13 "k.h" 2
int k_c(y a);
