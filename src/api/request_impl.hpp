// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "fogline/request.hpp"
#include "release/driver.hpp"

namespace fogline {

struct Request::Impl {
  std::unique_ptr<release::Release> request;
  std::function<void(std::string_view)> receiver = {};
  std::string text = {};  // of what nobody else takes
};

}  // namespace fogline
