/* float.h: powers and logarithms of doubles, equal to the reference's to the last bit.
** Memory: none.
** Errors: NaN if the answer is undefined. Must be built without contracting a × b + c into one operation (-ffp-contract=off). */
#ifndef HX_FN_FLOAT_H
#define HX_FN_FLOAT_H

#include "base/platform.h"

double hx_float_log(double x);
double hx_float_pow(double x, double y);

#endif
