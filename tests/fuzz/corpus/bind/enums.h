enum k_e { K_A = 1 << 3, K_B = sizeof(long) * 2, K_C = 'a' + '\n', K_D = (unsigned)-1 > 0, K_F = K_A | 0x10u };
typedef enum { K_X, K_Y = -1 } k_t;
k_t k_f(enum k_e a, k_t *b);
