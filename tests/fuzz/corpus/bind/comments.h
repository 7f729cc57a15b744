/** Sum. @p a, \b bold.
 * @code{.c}
 * f(1);
 * @endcode
 * @param[in,out] a,b both
 * @retval 0 fine
 * @note \\ """ ` $x #{y} %d ]] ''' é中 */
int k_f(int a, /**< one */ int b /*!< two */);
/// Line
/// doc.
//! more
int k_g(void); ///< trailing
