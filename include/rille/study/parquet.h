// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tables as Parquet files, which data tools of every language read.
///
/// One row group, one page for each column, values plain and not compressed, all columns required:
/// a number that is missing is NaN. Format: Apache Parquet 2.9, metadata in Thrift's compact
/// protocol.
#ifndef RILLE_STUDY_PARQUET_H
#define RILLE_STUDY_PARQUET_H

#include <stdint.h>

#include <rille/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum RiParquetKind {
    RI_PARQUET_INT64,  ///< const int64_t *
    RI_PARQUET_DOUBLE, ///< const double *
    RI_PARQUET_TEXT    ///< const char *const *, UTF-8
} RiParquetKind;

typedef struct RiParquetColumn {
    const char *name;
    RiParquetKind kind;
    const void *values; ///< [rows]
} RiParquetColumn;

/// Writes a file whole or not at all. RI_ERR_LIMIT for a column of 2 GiB or more; RI_ERR_ARGUMENT
/// for names that are empty or given twice.
RI_MUST_CHECK RiStatus ri_parquet_save(RiContext *ctx, const char *path, int rows, const RiParquetColumn *columns,
                                       int count);

#ifdef __cplusplus
}
#endif
#endif
