// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "random/key.hpp"
#include "roads/city_plan.hpp"

namespace fogline::roads::sketch {

/// The direction streets take at each place: along (or across) the main roads and the river near them, along
/// the grid of the district elsewhere, bent a little by noise. Stored on a raster, read by interpolation.
class StreetField {
 public:
  StreetField(const Plan& plan, const random::Key& key);
  Point along(Point p) const;  ///< unit vector; its opposite means the same

 private:
  // A direction without sign is kept as the vector of its doubled angle, so that directions can be averaged.
  std::vector<Point> doubled_;
};

/// Draws the lesser streets into a plan: evenly spaced lines that follow the field or cross it, seeded on both
/// sides of the streets that exist, class by class from wide to narrow. Lines stop at the water and at the
/// edge of the town, and run on to the next street where one is near.
std::vector<Stroke> draw_streets(const Plan& plan, const StreetField& field, const random::Key& key);

}  // namespace fogline::roads::sketch
