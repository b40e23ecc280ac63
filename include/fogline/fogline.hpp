// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Everything that is public. What is promised to stay: the names here, the fields of requests, and the forms of statements and files.

#include "fogline/analysis.hpp"
#include "fogline/claims.hpp"
#include "fogline/column_set.hpp"
#include "fogline/error.hpp"
#include "fogline/field_values.hpp"
#include "fogline/figures.hpp"
#include "fogline/findings.hpp"
#include "fogline/keys.hpp"
#include "fogline/kinds.hpp"
#include "fogline/ledger.hpp"
#include "fogline/listener.hpp"
#include "fogline/notice.hpp"
#include "fogline/path.hpp"
#include "fogline/place.hpp"
#include "fogline/released.hpp"
#include "fogline/request.hpp"
#include "fogline/shards.hpp"
#include "fogline/stream.hpp"
#include "fogline/traces.hpp"
#include "fogline/verify.hpp"
#include "fogline/version.hpp"
#include "fogline/weights.hpp"
