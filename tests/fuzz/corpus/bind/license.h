/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/** @file
 *  @brief All. */
K_API(int) k_f(int a) ;
int K_CALL(x) k_g ((int b));
