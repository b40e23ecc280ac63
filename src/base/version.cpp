// SPDX-License-Identifier: Apache-2.0
#include "fogline/version.hpp"

namespace fogline {

const std::string_view version = FOGLINE_VERSION;

}  // namespace fogline
