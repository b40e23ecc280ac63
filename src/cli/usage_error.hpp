// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"

namespace fogline::cli {

/// A command line that cannot be understood. Exit code 2, with a pointer to --help.
class UsageError : public Error {
 public:
  using Error::Error;
};

}  // namespace fogline::cli
