// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "privacy/books.hpp"
#include "privacy/release.hpp"
#include "release/caller.hpp"
#include "release/common_fields.hpp"
#include "release/field_table.hpp"

namespace fogline::release {

/// What is told of a release when it is done, beside what every release tells; public, as the release is.
struct Told {
  std::string record;  ///< what one record is: "weight", which makes "4,967 weights"
  privacy::EpsilonMeasure measure = privacy::EpsilonMeasure::plain;  ///< of the kind's epsilons
  std::vector<std::pair<std::string, std::string>> rows = {};
  privacy::Parameters json = {};
  std::vector<std::string> notes = {};  ///< sentences after all that
};

/// One release of one kind: its request and its part of the walk. Each function is called once, in the order in which they
/// stand here; what one finds out, the object keeps for the next, and so an object is good for one release. Nothing before take() reads a
/// private record, and nothing but draw() has a key.
class Release {
 public:
  virtual ~Release() = default;
  Release() = default;
  Release(const Release&) = delete;
  Release& operator=(const Release&) = delete;

  virtual std::string kind() const = 0;  ///< "place"
  virtual std::string verb() const { return "release"; }

  /// Every field of the request, with those of `to`; but see declare_all().
  virtual void declare(FieldTable& table) = 0;

  /// Everything that can be wrong with the request alone, and what it promises: public inputs are named and hashed. Of the draft only
  /// guarantee and names need be final.
  virtual privacy::Statement resolve(Caller& caller) = 0;
  /// Public inputs are read.
  virtual void load(Caller& /*caller*/) {}
  /// The mechanism is built, and what it is worth is judged, from public things and the request alone. The whole draft; but see completed().
  virtual privacy::Statement prepare(Caller& caller) = 0;
  /// Private records are read, checked, bounded: everything that can be wrong with them is found here.
  virtual void take(Caller& caller) = 0;
  /// The whole draft of a kind whose records come in one file with something public that the statement tells of: whether there are times, the shape of a graph. None: as
  /// prepared.
  virtual std::optional<privacy::Statement> completed(Caller& /*caller*/) { return std::nullopt; }
  /// Draws with the key that was paid for, and writes. Names the streams of noise: a name is used once in a release.
  virtual privacy::DrawnInPieces draw(const random::Key& key, const privacy::WriteOutput& write,
                                      Caller& caller) = 0;
  virtual Told tell(const privacy::Released& released, Caller& caller) const = 0;

  /// Every public file that is read: held from the beginning, and none of them may be a private one. No input may be written to.
  virtual std::vector<std::string> inputs() const = 0;
  /// Private files besides the one of `from`: opened when records are taken, and not before the ledger was asked.
  virtual std::vector<std::string> private_inputs() const { return {}; }
  /// How the names of further outputs end that draw() gives, each a part of the release that the statement names: ".counts.json". After resolve().
  virtual std::vector<std::string> more_outputs() const { return {}; }
  /// Files that appear with the output, or not at all.
  virtual std::vector<std::string> also_written() const { return {}; }
  /// How many records the beginning of an output holds that was cut short; a header and a line each, if not said.
  virtual std::function<std::uint64_t(std::string_view)> records_in() const { return {}; }
  /// Are answers out before the release is complete?
  virtual bool is_live() const { return false; }

  /// Is every record a release of its own, charged when it comes? Then take(), completed() and draw() are called for one after another, each
  /// after an await() that waited for its record and did not look at it, and a text of draw() is a header and a line. False at the end.
  virtual bool answers_each() const { return false; }
  virtual bool await(Caller& /*caller*/) { return false; }

  /// Throws InvalidOption, naming a field, unless records may be drawn in parts by those who see no others (release/shards.hpp).
  virtual void require_parts() const;

  /// Of a shard: how many numbers its records have taken, from first_record on; after take().
  virtual std::uint64_t numbers() const { return 0; }

  /// What is protected.
  InputField from;
  /// Of requests that are answered one subject at a time (release/serving.hpp): who asks is answered whatever his record holds, and only the mechanism may decide how.
  bool is_served = false;
  /// Throws InvalidOption, naming a field, unless the kind can be asked so. After resolve().
  virtual void require_served() const;

  /// Of every file that is read.
  LimitsField limits;
  /// Of a shard: the number, from 0, that its first record has in the whole, a sequence being one record. Draws and rows follow the number.
  std::uint64_t first_record = 0;
  /// Where the release goes, and who pays.
  struct Delivery {
    LedgerFields ledger;
    OutputFields output;
    SeedField seed;
  } to;

 private:
  friend struct Outcome release(Release& request, Caller& caller);
  friend void ask(Release& request, Caller& caller);
  friend struct Ticket charge_for_parts(Release& request, Caller& caller);
  friend privacy::Statement prepare_part(Release& part, Caller& caller);
  friend privacy::ReleasePlan prepare_for_subjects(Release& request, privacy::LedgerHandle& ledger,
                                                   Caller& caller);
  void use_once();
  bool is_used_ = false;  // what one release left behind must not go into another
};

/// What was put in place, and what is left of the budget.
struct Outcome {
  privacy::Released released;
  Told told;
  std::optional<privacy::DatasetBook> book;  ///< after the release; none if the ledger could not be read then
  std::uint64_t entry = 0;                   ///< of the ledger; 1: it was made
  std::uint64_t answers = 1;                 ///< releases: more where each record is one
};

/// THE WALK of every release, whatever the kind and whoever asked:
///
///     resolve      the request, and public inputs by name and hash
///     ask          output and statement can be written and are no input; the ledger would not refuse: over the cap no private file is opened
///     load         public inputs
///     prepare      the mechanism, and the whole statement but for what is drawn: who would do without a release that is worth nothing is told before
///                  anything private is read
///     take         private records
///     open, charge, draw, write, settle      privacy/release.hpp, in the only order that is safe
///     tell
///
/// Of a guarded request, whose caller may not know the records, take comes after the charge: that they are accepted tells of them like a refusal, and both are paid for.
///
/// Of a request that answers each record by itself, everything from take to settle is done for each as it comes: the answer is out when its charge is on the
/// disk and its statement in the file, and what stops the walk takes back nothing. The outcome is that of the last.
///
/// A file that is not there is told before anything is read. Whatever throws before the charge
/// leaves nothing charged and nothing written; whatever throws after it is thrown on, after the caller was warned that the budget is
/// spent. Throws Error for a request that was released before: make another.
Outcome release(Release& request, Caller& caller);

/// The steps before the records are opened: throws what release() would throw whatever they hold. Charges nothing. For one request.
void ask(Release& request, Caller& caller);

// For release/shards.hpp: the parts of the walk before and after which records are elsewhere.
struct Ticket;
Ticket charge_for_parts(Release& request, Caller& caller);  ///< all but load the records, up to the charge
privacy::Statement prepare_part(Release& part, Caller& caller);  ///< all but ask the ledger, up to the draw

/// For release/serving.hpp: all but load the records, up to the charge. Charges nothing. The plan is good for as many answers as are asked for.
privacy::ReleasePlan prepare_for_subjects(Release& request, privacy::LedgerHandle& ledger, Caller& caller);

/// What a release writes for these records with this key, which is known to everybody (a SeededKey): for audits of invented records. All steps but
/// those that ask and charge the ledger and put files in place. Throws Error for a key that could be of a release.
std::string draw_for_audit(Release& request, const random::Key& key, Caller& caller);
/// The same, but the output alone: for figures, which read it.
std::string output_for_figure(Release& request, const random::Key& key, Caller& caller);

/// A plain epsilon above this hides next to nothing: e^20 is 485 million, so what had one chance in so many may become
/// as likely as not.
inline constexpr std::uint64_t large_epsilon = 20;

/// Says so of a promise with a larger epsilon; empty otherwise. Plans and releases warn of it alike.
std::string warning_of_large_epsilon(const privacy::Guarantee& guarantee);

}  // namespace fogline::release
