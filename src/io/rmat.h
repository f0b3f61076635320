/* Random graphs with the skew of real ones (D. Chakrabarti, Y. Zhan, C. Faloutsos, R-MAT: A Recursive Model for Graph
 * Mining, 2004), with the probabilities of Graph500: a = 0.57, b = c = 0.19, d = 0.05. */
#ifndef GF_IO_RMAT_H
#define GF_IO_RMAT_H

#include "io/graph.h"

#define GF_RMAT_SCALE_MAX 40

/* 2^scale vertices (scale from 0 to GF_RMAT_SCALE_MAX) and edges_per_vertex times as many edges, without weights, in no
 * order, with loops and duplicates. The same on every machine: for bit `level` of edge e, from the highest, draw
 * e * scale + level of `seed` (io/random.h) reduced to 0 .. 99 chooses the quarter: below 57 a, 76 b, 95 c, else d. */
bool gf_rmat_generate(uint32_t scale, uint64_t edges_per_vertex, uint64_t seed, gf_edges *out, gf_diags *diags);

#endif
