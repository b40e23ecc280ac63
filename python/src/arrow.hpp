// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <fogline/column_set.hpp>
#include <nanobind/nanobind.h>

namespace fogline::python {

/// Adds every column of an Arrow stream (the capsule that `__arrow_c_stream__` gives) to the set. What is returned owns what the set borrows.
///
/// Borrowed as they are: columns of doubles, of 64-bit integers and of texts that come in one piece without nulls. Copied: other numbers, several pieces,
/// dictionaries, nulls (of numbers: not a number; of integers: they become texts, and the null an empty one), and moments, which become whole unix seconds,
/// rounded down as the library does. A column of points (geoarrow.point, in longitude and latitude) becomes `lon` and `lat`. Refused, with
/// InvalidOption that names the column and its Arrow format: everything else, such as lists, decimals and binary.
std::shared_ptr<const void> read_arrow_stream(PyObject* capsule, ColumnSet& columns);

}  // namespace fogline::python
