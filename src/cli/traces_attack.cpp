// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

namespace fogline::cli {

CommandInfo traces_attack_text() {
  return {{"traces", "attack"},
          "Attack synthetic trips: membership, reconstruction, linkage of users",
          "Compares trips that were used with held-out ones that were not, as 32 points at equal distances "
          "along each. "
          "Nearest: is a trip nearer to some synthetic trip if it was used? Calibrated: the same, over its "
          "distance to "
          "the nearest of other held-out trips. auc is the chance that a used trip scores before another, "
          "0.5 for "
          "nothing told; advantage the share of used trips minus that of others below a threshold chosen "
          "on other "
          "trips. Reconstruction: how many trips have a synthetic one within --near metres at all 32 "
          "points. Linkage, "
          "where files name users: synthetic trip i is taken for true trip i, and held-out trips get the "
          "user of the "
          "nearest; chance is the same with the order turned.\n\n"
          "Intervals are of 99 %, and allow for users with several trips. Held-out trips must be drawn as "
          "the true ones "
          "were, such as by setting every second user aside before the release. A leak that is found is "
          "one; that none "
          "is found proves nothing.\n\n"
          "What is printed is made with private trips and charged to no ledger.",
          {{"trips that know nothing of the true ones",
            "fogline sample stream --seed 2 --walkers 300 -o w.csv --public all.csv -q && for i in 0 1 2; "
            "do awk "
            "-F, -v i=$i 'NR == 1 || substr($1, 2) % 3 == i' all.csv > $i.csv; done && fogline traces "
            "attack 0.csv 1.csv --heldout 2.csv"},
           {"a copy, as JSON",
            "fogline sample stream -o w.csv --public all.csv -q && for i in 0 1; do awk -F, -v i=$i 'NR == "
            "1 || substr($1, 2) % 2 == i' all.csv > $i.csv; done && fogline traces attack 0.csv 0.csv "
            "--heldout 1.csv --json"}}};
}

}  // namespace fogline::cli
