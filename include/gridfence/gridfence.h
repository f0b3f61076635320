/* gridfence/gridfence.h - the whole C API. See doc/embedding.md for one page from text to result. */
#ifndef GRIDFENCE_GRIDFENCE_H
#define GRIDFENCE_GRIDFENCE_H

#include <gridfence/base.h>
#include <gridfence/build.h>
#include <gridfence/device.h>
#include <gridfence/diag.h>
#include <gridfence/plan.h>
#include <gridfence/program.h>
#include <gridfence/run.h>

#endif
