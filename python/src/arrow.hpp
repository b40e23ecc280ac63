// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <fogline/column_set.hpp>
#include <nanobind/nanobind.h>

namespace fogline::python {

/// The columns of an Arrow stream, and what owns them.
struct ArrowColumns {
  struct Column {
    std::string name;
    ColumnSet::Values values;
  };
  std::shared_ptr<const void> held;
  std::vector<Column> columns;
};

/// Every column of an Arrow stream (the capsule that `__arrow_c_stream__` gives), which is used up. Reads without the interpreter's lock: whoever
/// gives the stream may need it on a thread of his own.
///
/// Borrowed as they are: columns of doubles, of 64-bit integers and of texts that come in one piece without nulls. Copied: other numbers, several pieces,
/// dictionaries, nulls (of numbers: not a number; of integers: they become texts, and the null an empty one), and moments, which become whole unix seconds,
/// rounded down as the library does. Refused, with InvalidOption that names the column and its Arrow format: everything else, such as
/// lists, decimals and binary.
ArrowColumns read_arrow_stream(PyObject* capsule);

}  // namespace fogline::python
