// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fogline/fogline.hpp>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

namespace fogline::python {

namespace nb = nanobind;

using NumberArray = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using IntegerArray = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Private records as they come from Python, borrowed where they can be: arrays, lists of texts, Arrow streams.
class Records {
 public:
  void number(const std::string& name, NumberArray values);
  void integer(const std::string& name, IntegerArray values);
  void text(const std::string& name, std::vector<std::string> values) {
    columns_.hold(name, std::move(values));
  }
  /// Every column of what `__arrow_c_stream__` gave, which is used up.
  void arrow(nb::object capsule);

  const ColumnSet& columns() const { return columns_; }
  std::vector<std::string> names() const;
  std::uint64_t address(const std::string& name) const;  ///< of its values, to see that they were not copied
  std::vector<std::string> integers() const;             ///< names of columns of whole numbers
  /// A file of CSV. Numbers are as short as they can be, but for degrees, which have so many digits behind the point if that is no less than 0.
  nb::bytes csv(int digits_of_degrees) const;

 private:
  std::string as_csv(int digits_of_degrees) const;

  ColumnSet columns_;
  std::vector<NumberArray> numbers_;
  std::vector<IntegerArray> integers_;
  std::vector<std::shared_ptr<const void>> streams_;
};

/// The columns as NumPy arrays, texts as lists.
nb::dict to_python(const ColumnSet& columns);

}  // namespace fogline::python
