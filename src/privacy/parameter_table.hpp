// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/error.hpp"
#include "base/rational.hpp"
#include "privacy/guarantee.hpp"
#include "privacy/statement.hpp"

namespace fogline::privacy {

/// Whole numbers that a parameter may be.
struct CountRange {
  std::uint64_t least = 0, most = std::numeric_limits<std::uint64_t>::max();
};

/// The parameters of a statement, declared once by the terms that they tell of: name, type, range, when it is there, one sentence. The same declaration writes
/// them, reads them back, and lists them for the documentation.
///
///     void PathTerms::declare(privacy::ParameterTable& table) {
///       table.value("visits", visits, "how often a vertex may be visited at most", {1, 8});
///       table.when(form == PathForm::one_sided).value("direction", direction, "whether it is published which end is the start");
///       table.optional().value("area", area, "the public corridor, where there is one");
///     }
///     nlohmann::ordered_json json = parameters_of(terms);          // {"visits": 1, "direction": true}
///     read_parameters(json, terms);                                // throws InvalidOption
///
/// Parameters are declared in reading order, and a condition may look at those before it: when they are read, these have their values.
class ParameterTable {
 public:
  struct Listed {
    std::string name;
    std::string meaning;
  };

  static ParameterTable writing();
  static ParameterTable reading(
      const nlohmann::ordered_json& given);  ///< which must outlive it; throws InvalidOption if no object
  static ParameterTable listing();
  ParameterTable(ParameterTable&&) noexcept;
  ~ParameterTable();

  bool reads() const { return given_ != nullptr; }
  bool lists() const { return lists_; }
  bool is_given(const std::string& name) const;  ///< false unless it reads

  /// The next parameter is there only if this holds.
  ParameterTable& when(bool holds);
  /// The next parameter is there only if its target is not empty, 0 or false.
  ParameterTable& optional();

  // Each writes what its target holds, or reads it. Reading throws InvalidOption, naming the parameter, for one that is missing, of another type or out of range.
  void value(const std::string& name, std::string& target, const std::string& meaning);
  void value(const std::string& name, bool& target, const std::string& meaning);
  void value(const std::string& name, std::uint64_t& target, const std::string& meaning,
             const CountRange& range = {});
  void value(const std::string& name, std::uint32_t& target, const std::string& meaning,
             const CountRange& range);
  void value(const std::string& name, double& target, const std::string& meaning);
  void value(const std::string& name, Rational& target, const std::string& meaning);
  void value(const std::string& name, Epsilon& target, const std::string& meaning);
  void value(const std::string& name, EpsilonPerMetre& target, const std::string& meaning);
  void value(const std::string& name, std::vector<std::string>& target, const std::string& meaning);
  /// Those that are optional by themselves.
  void value(const std::string& name, std::optional<std::uint64_t>& target, const std::string& meaning);
  void value(const std::string& name, std::optional<Epsilon>& target, const std::string& meaning);
  /// The name of a public input; InputFiles::fill adds its hash when it is read.
  void value(const std::string& name, std::optional<PublicInput>& target, const std::string& meaning);

  /// One of a few words: to_string(target), and `from` back. Not there for the word `absent`.
  template <class Word>
  void word(const std::string& name, Word& target, Word (*from)(std::string_view), const std::string& meaning,
            std::optional<Word> absent = {}) {
    std::string text = reads() || target == absent ? std::string() : std::string(to_string(target));
    if (absent) optional();
    value(name, text, meaning);
    if (text.empty() || !reads()) return;
    try {
      target = from(text);
    } catch (const InvalidOption&) {
      refuse_word(name);
    }
  }

  /// What a mechanism says of itself, as the member of that name.
  void member(const std::string& name, Parameters& target, const std::string& meaning);
  /// What follows from the parameters before it: it is only written. require_spelling compares it.
  void derived(const std::string& name, const std::function<nlohmann::ordered_json()>& value,
               const std::string& meaning);

  const nlohmann::ordered_json& json() const { return *written_; }
  const std::vector<Listed>& listed() const { return listed_; }

 private:
  ParameterTable();
  [[noreturn]] static void refuse_word(const std::string& name);
  template <class Target, class... Range>
  void exchange(const std::string& name, Target& target, const std::string& meaning, const Range&... range);

  const nlohmann::ordered_json* given_ = nullptr;
  bool lists_ = false;
  bool is_there_ = true, is_optional_ = false;  // the next one
  std::unique_ptr<nlohmann::ordered_json> written_;
  std::vector<Listed> listed_;
};

/// Hands out the public inputs of a statement, which are files in a fixed order.
class InputFiles {
 public:
  explicit InputFiles(const std::vector<PublicInput>& inputs) : inputs_(inputs) {}
  PublicInput next();  ///< throws InvalidOption if there is no other, or if it is no file
  /// The next one, if a parameter named it: under that name. Throws InvalidOption.
  void fill(std::optional<PublicInput>& named);
  void require_all_used() const;  ///< throws InvalidOption

 private:
  const std::vector<PublicInput>& inputs_;
  std::size_t used_ = 0;
};

/// Throws InvalidOption unless the parameters are those that the terms read from them would write, each in its one spelling.
void require_spelling(const nlohmann::ordered_json& given, const nlohmann::ordered_json& again);

/// What terms with a function declare(ParameterTable&) write.
template <class Terms, class Json = nlohmann::ordered_json>
Json parameters_of(Terms terms) {
  ParameterTable table = ParameterTable::writing();
  terms.declare(table);
  return table.json();
}

/// Reads them back, into terms whose mechanism is set. Throws InvalidOption naming the first that is missing, of the wrong type or out of range. When all else is
/// read too, require_spelling tells what is unknown, or not written as parameters_of writes it.
template <class Terms>
void read_parameters(const nlohmann::ordered_json& given, Terms& terms) {
  ParameterTable table = ParameterTable::reading(given);
  terms.declare(table);
}

/// All that such terms may write.
template <class Terms>
std::vector<ParameterTable::Listed> list_parameters(Terms& terms) {
  ParameterTable table = ParameterTable::listing();
  terms.declare(table);
  return table.listed();
}

}  // namespace fogline::privacy
