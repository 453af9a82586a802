// A cache of folder listings.

/// A cache of the names in folders that are checked periodically. A folder is listed again only after it has changed.
struct FolderListings {
  private var listings: [String: (stamp: FileStamp, isSettled: Bool, names: [String])] = [:]

  /// Returns the names in a folder with one of these endings; empty if it cannot be read.
  mutating func names(in folder: String, endings: [String]) -> [String] {
    guard let stamp = FileStamp(folder) else {
      listings[folder] = nil
      return []
    }
    if let known = listings[folder], known.isSettled, known.stamp == stamp { return known.names }
    let names = (try? FolderFiles.names(in: folder, endings: endings)) ?? []
    listings[folder] = (stamp, stamp.isSettled, names)
    return names
  }
}
