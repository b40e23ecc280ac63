// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/error.hpp"
#include "privacy/parameter_table.hpp"

namespace fogline::release {

/// What a field names, if it names a file.
enum class FieldRole {
  setting,        ///< no file: a number, a word, a consent
  public_input,   ///< its name and hash may stand in a statement
  private_input,  ///< what is protected; nothing of it may be told
  output          ///< is written
};

/// The numbers that a field may be, as exact texts: least <= value <= most.
struct FieldRange {
  std::string least = {}, most = {};        ///< empty: no end
  bool is_above = false, is_below = false;  ///< the end itself is no value
};

/// One field of a request: what it is called, what it holds, and where the value goes. Command-line options with their help, man pages and
/// completion, JSON requests and their schema are all made from it.
struct Field {
  std::string name = {};   ///< "epsilon": each front end spells it its own way
  char letter = 0;         ///< 'o', for front ends that have short names; 0: none
  std::string value = {};  ///< what stands for the value in help, such as FILE; empty for a flag
  std::string help = {};   ///< one sentence, no full stop
  std::string group = {};  ///< heading it stands under
  std::vector<std::string> choices = {};  ///< allowed values; empty means any
  bool required = false;
  std::string unless = {};     ///< required, but not if this field is given, which stands in its place
  bool positional = false;     ///< an argument of the command line, by its place
  bool rare = false;           ///< explained by the manual alone: an old spelling, or for few
  bool nonzero = false;        ///< 0 is refused, for a number whose target holds 0 while it is not given
  FieldRange range = {};       ///< of a number, or of a text that is an exact fraction
  std::string otherwise = {};  ///< what holds if it is not given, where the target does not hold that itself
  std::string unit = {};       ///< what a number counts, as its symbol: "m", "s", "1/m"; empty: nothing
  FieldRole role = FieldRole::setting;
  std::vector<std::string> stated = {};  ///< parameters of the statement that tell what it settled

  using Target = std::variant<bool*, std::string*, std::vector<std::string>*, std::uint64_t*, int*, double*>;
  Target target = {};
};

/// The fields of one request, declared once.
///
///     FieldTable table;
///     request.declare(table);                                  // table.value("epsilon", "E", epsilon, "privacy parameter ...")
///     set_fields(table, {{"epsilon", "0.01"}});                // throws InvalidOption
///     std::string text = schema(table, "place", "release").dump(2);
///
/// Targets must outlive the table.
class FieldTable {
 public:
  /// Refines the field just declared.
  class Refine {
   public:
    Refine& required();
    Refine& required_unless(std::string other);  ///< this other field is given
    Refine& choices(std::vector<std::string> allowed);
    Refine& nonzero();
    Refine& rare();
    Refine& range(std::string least, std::string most);    ///< both are values
    Refine& above(std::string least, std::string most);    ///< the first is none
    Refine& below(std::string least, std::string most);    ///< the last is none
    Refine& between(std::string least, std::string most);  ///< neither is
    Refine& otherwise(const std::string& value);  ///< holds if it is not given: schema and help tell it
    Refine& unit(std::string symbol);             ///< what the number counts: "m", "s", "1/m"
    Refine& letter(char letter);
    Refine& role(FieldRole role);
    Refine& stated(const std::string& parameter);

   private:
    friend class FieldTable;
    explicit Refine(FieldTable& table) : table_(table) {}
    FieldTable& table_;
  };

  void group(std::string heading) { group_ = std::move(heading); }
  Refine flag(const std::string& name, bool& target, const std::string& help);
  Refine value(const std::string& name, const std::string& value, std::string& target,
               const std::string& help);
  Refine value(const std::string& name, const std::string& value, std::vector<std::string>& target,
               const std::string& help);  ///< may be given several times
  Refine value(const std::string& name, const std::string& value, std::uint64_t& target,
               const std::string& help);
  Refine value(const std::string& name, const std::string& value, int& target, const std::string& help);
  Refine value(const std::string& name, const std::string& value, double& target, const std::string& help);
  Refine positional(const std::string& name, const std::string& value, std::string& target,
                    const std::string& help);
  Refine positional(const std::string& name, const std::string& value, std::vector<std::string>& target,
                    const std::string& help);

  /// Every parameter of the statement of a release, as its terms declare them.
  void states(std::vector<privacy::ParameterTable::Listed> parameters) {
    parameters_ = std::move(parameters);
  }

  const std::vector<Field>& fields() const { return fields_; }
  const std::vector<privacy::ParameterTable::Listed>& parameters() const { return parameters_; }
  const Field* find(std::string_view name) const;  ///< null if there is none

 private:
  Refine add(Field field);

  std::vector<Field> fields_;
  std::vector<privacy::ParameterTable::Listed> parameters_;
  std::string group_ = "Options";
};

/// Fills the targets from a JSON object: numbers and words as they are, flags as true or false, lists for what may be given several times;
/// what is held as a text, as exact fractions are, may also be given as a number. Fields that are not named keep what they hold. Throws InvalidOption with the field's
/// name, and with what it allows: not a field, wrong type, not one of the choices, 0 where that is no value, a required one missing that is not `given_otherwise`.
void set_fields(const FieldTable& table, const nlohmann::ordered_json& request,
                std::initializer_list<std::string_view> given_otherwise = {});

/// "from 1 to 8", for people; empty: any number.
std::string to_string(const FieldRange& range);

/// What a field may hold, for people: "a number from 0 to 500, in m", "one of drivable, walkable, all", "true or false".
std::string allowed(const Field& field);

/// What was refused, with what the field allows where whoever refused it did not say: a mechanism knows no fields.
InvalidOption with_allowed(const InvalidOption& error, const FieldTable& table);

/// Throws InvalidOption for a field that holds a number out of its range. What is empty, or 0 where that is no value, was not given.
void require_in_range(const FieldTable& table);

/// Gives each field of `to` what the field of the same name in `from` holds, if there is one: for requests that are made from others.
void copy_fields(const FieldTable& from, const FieldTable& to);

/// The JSON schema (draft 2020-12) of such an object. `x-role` says which fields are private inputs, public inputs and outputs, `x-unit` what a number counts, `x-positional` which need no name where arguments have a place, `x-stated` which parameters of
/// a statement tell of a field, `x-parameters` all of them with a sentence each.
nlohmann::ordered_json schema(const FieldTable& table, const std::string& kind, const std::string& verb);

}  // namespace fogline::release
