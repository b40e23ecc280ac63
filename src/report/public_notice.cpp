// SPDX-License-Identifier: Apache-2.0
#include "report/public_notice.hpp"

#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "privacy/plain_words.hpp"
#include "report/svg_text.hpp"

namespace fogline::report {
namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

std::string list_of(const std::vector<std::string>& sentences) {
  std::string html = "<ul>\n";
  for (const std::string& sentence : sentences) html += fmt::format("<li>{}</li>\n", escaped(sentence));
  return html + "</ul>\n";
}

std::string section(std::string_view heading, const std::vector<std::string>& sentences) {
  return fmt::format("<h2>{}</h2>\n{}", heading, list_of(sentences));
}

constexpr std::string_view notice_style =
    "body{max-width:42rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 "
    "system-ui,sans-serif;color:#222;background:#fff}"
    "h1{font-size:1.5rem;line-height:1.25}h2{font-size:1.1rem;margin-top:1.5rem}li{margin:.3rem 0}"
    "footer{margin-top:2rem;color:#555;font-size:.85rem;overflow-wrap:anywhere}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#161616}footer{color:#aaa}}";

std::string title_of(const Publication& publication) {
  return escaped(publication.title.empty() ? "How this publication protects people" : publication.title);
}

}  // namespace

privacy::Parameters registry_entry(const privacy::Statement& statement, const KindPages* kind,
                                   const Publication& publication) {
  const privacy::Guarantee& guarantee = statement.guarantee;
  Json outputs = Json::array();
  for (const auto& output : statement.outputs)
    outputs.push_back({{"name", output.name}, {"sha256", output.sha256}});
  const auto* charged = std::get_if<privacy::LedgerReference>(&statement.ledger);
  return Json{{"name", or_null(publication.title)},
              {"data_curator", or_null(publication.curator)},
              {"intended_use", or_null(publication.use)},
              {"region", or_null(publication.region)},
              {"contact", or_null(publication.contact)},
              {"data_product", kind == nullptr ? Json() : Json(kind->publishes)},
              {"model", "central: whoever holds the records adds the noise"},
              {"dp_flavor", to_string(guarantee.notion())},
              {"privacy_loss",
               {{"epsilon", guarantee.epsilon().to_string()},
                {"measure", to_string(guarantee.measure())},
                {"delta", guarantee.delta().to_string()}}},
              {"privacy_unit", guarantee.unit()},
              {"mechanism",
               fmt::format("{} {} ({})", statement.kind, statement.mechanism, to_string(statement.form))},
              {"sampling", to_string(guarantee.exactness())},
              {"parameters", statement.parameters.json()},
              {"accounting", charged == nullptr
                                 ? Json()
                                 : Json{{"composition", "sequential, per dataset, in an append-only ledger"},
                                        {"ledger", charged->ledger_id},
                                        {"entry", charged->entry}}},
              {"promise", statement.promise},
              {"not_protected", statement.not_protected},
              {"implementation", fmt::format("Fogline {}", statement.version)},
              {"outputs", outputs},
              {"signed_by_key", statement.signature ? Json(statement.signature->by.public_key) : Json()}};
}

std::string notice_body(const privacy::Statement& statement, const KindPages* kind,
                        const Publication& publication) {
  const privacy::PlainWords words = privacy::plain_words(statement.guarantee);
  std::string body = fmt::format("<h1>{}</h1>\n", title_of(publication));
  body += fmt::format("<p>{} {} {}, made from private records.{}{}</p>\n",
                      escaped(publication.curator.empty() ? "Whoever publishes this" : publication.curator),
                      "publishes", escaped(std::string(kind == nullptr ? "data" : kind->publishes)),
                      publication.use.empty() ? "" : " Purpose: " + escaped(publication.use) + ".",
                      publication.region.empty() ? "" : " Region: " + escaped(publication.region) + ".");
  body += section("What is promised", words.promised);
  body += section("To whom", words.to_whom);
  body += section("What is not promised", words.not_promised);
  body += section("What is not protected", statement.not_protected);
  if (!publication.contact.empty())
    body += fmt::format("<h2>Questions</h2>\n<p>{}</p>\n", escaped(publication.contact));
  std::string names;
  for (const auto& output : statement.outputs)
    names += fmt::format("<br>{} (SHA-256 {})", escaped(output.name), output.sha256);
  body += fmt::format(
      "<footer>{}. Made with Fogline {}.{}{}</footer>\n", escaped(to_string(statement.guarantee)),
      escaped(statement.version), names,
      statement.signature ? fmt::format("<br>Signed by the key {}", statement.signature->by.public_key) : "");
  return body;
}

std::string notice_html(const privacy::Statement& statement, const KindPages* kind,
                        const Publication& publication) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>{}</title>\n<style>{}</style>\n"
      "</head>\n<body>\n{}</body>\n</html>\n",
      title_of(publication), notice_style, notice_body(statement, kind, publication));
}

}  // namespace fogline::report
