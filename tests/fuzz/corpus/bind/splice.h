int k_\
f(int \
a);
/\
* comment *\
/ int k_g(void);
