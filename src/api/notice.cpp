// SPDX-License-Identifier: Apache-2.0
#include "fogline/notice.hpp"

#include <nlohmann/json.hpp>

#include "release/json_text.hpp"
#include "release/kinds.hpp"
#include "report/public_notice.hpp"

namespace fogline {
namespace {

const report::KindPages* pages_of(const privacy::Statement& statement) {
  const release::Kind* kind = release::find_kind(statement.kind);
  return kind == nullptr ? nullptr : &kind->pages;
}

report::Publication internal_form(const Publication& publication) {
  return {.title = publication.title,
          .curator = publication.curator,
          .use = publication.use,
          .region = publication.region,
          .contact = publication.contact};
}

}  // namespace

std::string registry_entry(const std::string& statement, const Publication& publication) {
  const privacy::Statement read = privacy::parse_statement(statement, "the statement");
  return release::json_text(report::registry_entry(read, pages_of(read), internal_form(publication)).json());
}

std::string notice(const std::string& statement, const Publication& publication) {
  const privacy::Statement read = privacy::parse_statement(statement, "the statement");
  return report::notice_html(read, pages_of(read), internal_form(publication));
}

std::string notice_body(const std::string& statement, const Publication& publication) {
  const privacy::Statement read = privacy::parse_statement(statement, "the statement");
  return report::notice_body(read, pages_of(read), internal_form(publication));
}

}  // namespace fogline
