// SPDX-License-Identifier: Apache-2.0
#include "base/version.hpp"

namespace fogline {

const std::string_view version = FOGLINE_VERSION;

}  // namespace fogline
