// SPDX-License-Identifier: Apache-2.0
#include "report/page_template.hpp"

#include <cstddef>

#ifdef FOGLINE_REPORT_PAGE
// The assembler puts the file into the program as it is; a literal of a megabyte would take a compiler seconds.
asm(".pushsection .rodata\n"
    ".global fogline_report_page_begin\n"
    "fogline_report_page_begin:\n"
    ".incbin \"" FOGLINE_REPORT_PAGE
    "\"\n"
    ".global fogline_report_page_end\n"
    "fogline_report_page_end:\n"
    ".popsection\n");
extern "C" const char fogline_report_page_begin[];
extern "C" const char fogline_report_page_end[];
#endif

namespace fogline::report {

std::string_view page_template() {
#ifdef FOGLINE_REPORT_PAGE
  return {fogline_report_page_begin,
          static_cast<std::size_t>(fogline_report_page_end - fogline_report_page_begin)};
#else
  return {};
#endif
}

}  // namespace fogline::report
