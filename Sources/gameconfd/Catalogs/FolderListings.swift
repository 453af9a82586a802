// Names in folders that are listed again only when the folder has changed.

/// The names of folders that are looked at again and again, whatever else lies in them.
struct FolderListings {
  private var listings: [String: (stamp: FileStamp, isSettled: Bool, names: [String])] = [:]

  /// Returns the names in a folder with one of these endings; none if it cannot be read.
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
