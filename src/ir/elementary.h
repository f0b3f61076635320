/* The elementary functions, the same bits everywhere: each is one sequence of exact operations (elementary_f32.inc,
 * elementary_f64.inc), here run on C values. Wanted of the caller: round to nearest, subnormals not flushed. A result
 * that is a NaN may have any payload. Errors and algorithms: doc/elementary.md. */
#ifndef GF_IR_ELEMENTARY_H
#define GF_IR_ELEMENTARY_H

float gf_exp2_f32(float x);
float gf_log2_f32(float x);
float gf_exp_f32(float x);
float gf_log_f32(float x);
float gf_sin_f32(float x);
float gf_cos_f32(float x);
float gf_tanh_f32(float x);
float gf_pow_f32(float x, float y);

double gf_exp2_f64(double x);
double gf_log2_f64(double x);
double gf_exp_f64(double x);
double gf_log_f64(double x);
double gf_sin_f64(double x);
double gf_cos_f64(double x);
double gf_tanh_f64(double x);
double gf_pow_f64(double x, double y);

#endif
