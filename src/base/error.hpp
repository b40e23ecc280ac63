// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fogline/error.hpp"  // IWYU pragma: export: what users of the library catch, the rooms throw
