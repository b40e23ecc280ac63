// SPDX-License-Identifier: Apache-2.0
#include "cli/run.hpp"
#include "cli/session.hpp"

int main(int argc, char** argv) {
  fogline::cli::catch_interrupts();
  return fogline::cli::run({argv + 1, argv + argc});
}
