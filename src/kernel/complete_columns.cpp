// SPDX-License-Identifier: Apache-2.0
#include "kernel/complete_columns.hpp"

#include <algorithm>

#include "kernel/interior_point.hpp"
#include "kernel/widest.hpp"

namespace fogline::kernel {
namespace {

inline Eight& eight(double* values, std::size_t i) {
  return *reinterpret_cast<Eight*>(values + i);
}
inline const Eight& eight(const double* values, std::size_t i) {
  return *reinterpret_cast<const Eight*>(values + i);
}
double sum_of(const Eight& v) {
  return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
}
double largest_of(const Eight& v) {
  return std::max(std::max(std::max(v[0], v[1]), std::max(v[2], v[3])),
                  std::max(std::max(v[4], v[5]), std::max(v[6], v[7])));
}

FOGLINE_WIDEST
double weigh_entries(const CompleteColumn& c, std::size_t n, double factor, double* diagonal) {
  Eight pivot = {};
  for (std::size_t i = 0; i < n; i += widest_numbers) {
    const Eight per_low = 1 / eight(c.low, i), per_high = 1 / eight(c.high, i);
    const Eight low = eight(c.low_dual, i) * per_low, high = eight(c.high_dual, i) * per_high;
    const Eight inverse = 1 / (low + high);
    pivot += low * high * inverse;
    eight(c.per_low, i) = per_low;
    eight(c.per_high, i) = per_high;
    eight(c.inverse, i) = inverse;
    eight(c.border, i) = (low + factor * high) * inverse;
    eight(diagonal, i) += inverse;
  }
  return sum_of(pivot);
}

FOGLINE_WIDEST
double right_entries(const CompleteColumn& c, std::size_t n, double factor) {
  Eight hub = {};
  for (std::size_t i = 0; i < n; i += widest_numbers) {
    const Eight low = eight(c.low_target, i) * eight(c.per_low, i);
    const Eight high = eight(c.high_target, i) * eight(c.per_high, i);
    const Eight right = low - high - eight(c.cost, i);
    eight(c.right, i) = right;
    hub += eight(c.border, i) * right - low + factor * high;
  }
  return sum_of(hub);
}

FOGLINE_WIDEST
void add_entry_moves(const CompleteColumn& c, std::size_t n, double hub, double* sums) {
  for (std::size_t i = 0; i < n; i += widest_numbers)
    eight(sums, i) += eight(c.inverse, i) * eight(c.right, i) + eight(c.border, i) * hub;
}

FOGLINE_WIDEST
double product_of(const double* a, const double* b, std::size_t n) {
  Eight sum = {};
  for (std::size_t i = 0; i < n; i += widest_numbers) sum += eight(a, i) * eight(b, i);
  return sum_of(sum);
}

FOGLINE_WIDEST
DirectionLook direct_entries(const CompleteColumn& c, std::size_t n, double factor, const double* price,
                             double hub, double* sums) {
  Eight primal = {}, dual = {}, slack_change = {}, dual_change = {}, both_change = {};
  const auto look = [&](const Eight& slack, const Eight& per_slack, const Eight& d, const Eight& z,
                        const Eight& target) __attribute__((always_inline)) {
    const Eight falls = -d * per_slack;
    const Eight d_dual = target * per_slack + z * (falls - 1);
    const Eight dual_falls = -d_dual / z;
    primal = falls > primal ? falls : primal;
    dual = dual_falls > dual ? dual_falls : dual;
    slack_change += d * z;
    dual_change += slack * d_dual;
    both_change += d * d_dual;
  };
  for (std::size_t i = 0; i < n; i += widest_numbers) {
    const Eight step = eight(c.inverse, i) * (eight(c.right, i) + eight(price, i)) + eight(c.border, i) * hub;
    eight(c.step, i) = step;
    eight(sums, i) += step;
    look(eight(c.low, i), eight(c.per_low, i), step - hub, eight(c.low_dual, i), eight(c.low_target, i));
    look(eight(c.high, i), eight(c.per_high, i), factor * hub - step, eight(c.high_dual, i),
         eight(c.high_target, i));
  }
  return {largest_of(primal), largest_of(dual), sum_of(slack_change), sum_of(dual_change),
          sum_of(both_change)};
}

FOGLINE_WIDEST
void aim_entries(const CompleteColumn& c, std::size_t n, double factor, double hub, double centring) {
  for (std::size_t i = 0; i < n; i += widest_numbers) {
    const Eight low = eight(c.step, i) - hub, high = factor * hub - eight(c.step, i);
    eight(c.low_target, i) = centring + low * eight(c.low_dual, i) * (1 + low * eight(c.per_low, i));
    eight(c.high_target, i) = centring + high * eight(c.high_dual, i) * (1 + high * eight(c.per_high, i));
  }
}

FOGLINE_WIDEST
void pull_entries(const CompleteColumn& c, std::size_t n, double factor, double hub, double primal,
                  double dual, double centring) {
  const Eight least = Eight{} + least_product * centring, most = Eight{} + most_product * centring;
  const auto pull_one = [&](const Eight& slack, const Eight& per_slack, const Eight& d, const Eight& z,
                            Eight& target) __attribute__((always_inline)) {
    const Eight d_dual = (target - z * d) * per_slack - z;
    const Eight product = (slack + primal * d) * (z + dual * d_dual);
    Eight wanted = product > least ? product : least;
    wanted = wanted < most ? wanted : most;
    const Eight change = wanted - product;
    target += change > -most ? change : -most;
  };
  for (std::size_t i = 0; i < n; i += widest_numbers) {
    const Eight step = eight(c.step, i);
    pull_one(eight(c.low, i), eight(c.per_low, i), step - hub, eight(c.low_dual, i), eight(c.low_target, i));
    pull_one(eight(c.high, i), eight(c.per_high, i), factor * hub - step, eight(c.high_dual, i),
             eight(c.high_target, i));
  }
}

FOGLINE_WIDEST
double move_entries(const CompleteColumn& c, std::size_t n, double factor, double hub, double primal,
                    double dual, double* sums) {
  Eight product = {};
  const auto moved = [&](double* slack, const double* per_slack, const Eight& d, double* z,
                         const double* target, std::size_t i) __attribute__((always_inline)) {
    const Eight before = eight(z, i);
    const Eight z_after = before + dual * ((eight(target, i) - before * d) * eight(per_slack, i) - before);
    const Eight slack_after = eight(slack, i) + primal * d;
    eight(z, i) = z_after;
    eight(slack, i) = slack_after;
    product += z_after * slack_after;
  };
  for (std::size_t i = 0; i < n; i += widest_numbers) {
    const Eight step = eight(c.step, i);
    moved(c.low, c.per_low, step - hub, c.low_dual, c.low_target, i);
    moved(c.high, c.per_high, factor * hub - step, c.high_dual, c.high_target, i);
    eight(sums, i) += eight(c.low, i);
  }
  return sum_of(product);
}

FOGLINE_WIDEST
Worth worth_of_entries(const double* cost, const double* price, const double* weight, double factor,
                       std::size_t n) {
  Eight worth = {}, rate = {};
  for (std::size_t i = 0; i < n; i += widest_numbers) {
    const Eight reduced = eight(cost, i) - eight(price, i);
    worth += reduced < 0 ? factor * reduced : reduced;
    rate += reduced < 0 ? factor * eight(weight, i) : eight(weight, i);
  }
  return {sum_of(worth), sum_of(rate)};
}

}  // namespace

void DirectionLook::take(const DirectionLook& other) {
  primal = std::max(primal, other.primal);
  dual = std::max(dual, other.dual);
  slack_change += other.slack_change;
  dual_change += other.dual_change;
  both_change += other.both_change;
}

double CompleteLoops::weigh(const CompleteColumn& column, double* diagonal) const {
  // The hub's pivot is written so that nothing cancels.
  return (factor_ - 1) * (factor_ - 1) * weigh_entries(column, entries_, factor_, diagonal);
}
double CompleteLoops::right_side(const CompleteColumn& column) const {
  return right_entries(column, entries_, factor_);
}
void CompleteLoops::add_moves(const CompleteColumn& column, double hub, double* sums) const {
  add_entry_moves(column, entries_, hub, sums);
}
double CompleteLoops::priced(const CompleteColumn& column, const double* price) const {
  return product_of(column.border, price, entries_);
}
DirectionLook CompleteLoops::direct(const CompleteColumn& column, const double* price, double hub,
                                    double* sums) const {
  return direct_entries(column, entries_, factor_, price, hub, sums);
}
void CompleteLoops::aim(const CompleteColumn& column, double hub, double centring) const {
  aim_entries(column, entries_, factor_, hub, centring);
}
void CompleteLoops::pull(const CompleteColumn& column, double hub, double primal, double dual,
                         double centring) const {
  pull_entries(column, entries_, factor_, hub, primal, dual, centring);
}
double CompleteLoops::move(const CompleteColumn& column, double hub, double primal, double dual,
                           double* sums) const {
  return move_entries(column, entries_, factor_, hub, primal, dual, sums);
}
Worth worth_of(const double* cost, const double* price, const double* weight, double factor,
               std::size_t entries) {
  return worth_of_entries(cost, price, weight, factor, entries);
}

}  // namespace fogline::kernel
