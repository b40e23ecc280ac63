// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "roads/draft.hpp"

namespace fogline::roads {

struct WriteNetworkCsvOptions {
  bool overwrite = false;  ///< replace existing files; otherwise their presence is an error
};

/// Writes a network as two CSV files, as read_network_csv.hpp reads them: the places under the name given, the roads
/// beside it (edges_file_of()).
///
///     write_network_csv(centre, "centre.csv", {});          // and centre_edges.csv
///     write_network_csv(centre, "centre/nodes.csv", {});    // and centre/edges.csv: the folder is a network
///
/// Names, positions and lengths read back the same, and so do one-way streets: with one of them, there is a column
/// `oneway`. What such a file has no word for is not in it: shapes and classes; of parallel roads the shortest counts.
/// Each file appears whole or not at all, the roads first. Throws InvalidOption for a name that is edges.csv or does
/// not end in .csv, FileError if a file exists or cannot be written.
void write_network_csv(const Draft& draft, const std::string& file, const WriteNetworkCsvOptions& options);

}  // namespace fogline::roads
