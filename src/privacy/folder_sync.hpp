// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fogline::privacy {

/// Makes the names in the folder of `path` last: without it a power cut could keep a later file and lose an
/// earlier one. Throws FileError; does nothing on file systems that cannot sync a folder.
void sync_folder_of(const std::string& path);

}  // namespace fogline::privacy
