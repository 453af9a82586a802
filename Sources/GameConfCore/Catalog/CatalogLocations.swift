// Finds the catalog files in several folders: a file hides those of the same name in later folders, and drop-ins of all folders apply.

/// The directory listing of one folder of catalogs.
public struct CatalogLocation: Sendable, Hashable {
  /// The folder's path, without a slash at its end.
  public var directory: String
  /// The names of the files directly in the folder.
  public var files: [String]
  /// The file names in each subfolder whose name ends in `.d`, by the subfolder's name.
  public var dropIns: [String: [String]]

  /// Creates a listing, by default without drop-ins.
  public init(directory: String, files: [String], dropIns: [String: [String]] = [:]) {
    self.directory = directory
    self.files = files
    self.dropIns = dropIns
  }
}

/// The paths of the files that make up the catalog of one game.
public struct CatalogSources: Sendable, Hashable {
  /// The game's id, which is the main file's name without `.yaml`.
  public var game: String
  /// The path of the main file.
  public var main: String
  /// The paths of the ignored files: those that have the main file's name and are in later folders.
  public var hidden: [String]
  /// The paths of the game's drop-ins, in the order in which they apply.
  public var dropIns: [String]

  /// Creates the list of a game's files; by default there is only the main file.
  public init(game: String, main: String, hidden: [String] = [], dropIns: [String] = []) {
    self.game = game
    self.main = main
    self.hidden = hidden
    self.dropIns = dropIns
  }
}

/// Selects the catalog files of all games from the listings of folders.
public enum CatalogLocations {
  /// The folders to search, in order of precedence, if `--defaults` does not name another folder.
  public static let standard = ["/etc/gameconfd/games", "/run/gameconfd/games", "/usr/share/gameconfd/games"]

  /// The file name extension of catalogs and drop-ins.
  public static let fileEnding = ".yaml"
  /// The extension of a folder of drop-ins: `GAME.d` has the drop-ins of `GAME.yaml`.
  public static let directoryEnding = ".d"

  /// The result of a search for catalogs.
  public struct Survey: Sendable, Hashable {
    /// The games that were found, sorted by id.
    public var games: [CatalogSources] = []
    /// Messages about files that are ignored, each with the reason.
    public var remarks: [String] = []
  }

  /// Selects the catalog files of every game.
  ///
  /// A main file hides the main files of the same name in later folders, and a drop-in hides the drop-ins of the same name. The remaining
  /// drop-ins of all folders apply in the order of their file names.
  public static func survey(_ places: [CatalogLocation]) -> Survey {
    var survey = Survey()
    var games: [String: CatalogSources] = [:]
    for place in places {
      for file in place.files.sorted() where isCatalog(file) {
        let game = String(file.dropLast(fileEnding.count))
        let path = "\(place.directory)/\(file)"
        if CatalogNames.complaint(about: game, as: .game) != nil {
          survey.remarks.append("\(path): ignored, its name is not a game's id (\(CatalogNames.pattern(.game))) and .yaml")
        } else if games[game] == nil {
          games[game] = CatalogSources(game: game, main: path)
        } else {
          games[game]?.hidden.append(path)
        }
      }
    }
    for place in places {
      for directory in place.dropIns.keys.sorted() where directory.hasSuffix(directoryEnding) {
        let game = String(directory.dropLast(directoryEnding.count))
        if games[game] == nil { survey.remarks.append("\(place.directory)/\(directory): ignored, there is no \(game).yaml to change") }
      }
    }
    for game in games.keys.sorted() {
      guard var sources = games[game] else { continue }
      sources.dropIns = dropIns(of: game, in: places)
      survey.games.append(sources)
    }
    return survey
  }

  /// Returns a warning if the hidden file has keys that the file in force lacks; nil if it has no such keys.
  public static func remark(onHidden path: String, keys: some Sequence<String>, by winner: String, winnerKeys: Set<String>) -> String? {
    let missing = keys.filter { !winnerKeys.contains($0) }
    if missing.isEmpty { return nil }
    return "\(winner) hides \(path), which has keys it lacks: \(ParameterAdmission.listed(missing.sorted()))"
  }

  private static func dropIns(of game: String, in places: [CatalogLocation]) -> [String] {
    var paths: [String: String] = [:]
    for place in places {
      for file in place.dropIns[game + directoryEnding] ?? [] where isCatalog(file) && paths[file] == nil {
        paths[file] = "\(place.directory)/\(game)\(directoryEnding)/\(file)"
      }
    }
    return paths.sorted { $0.key < $1.key }.map(\.value)
  }

  private static func isCatalog(_ file: String) -> Bool {
    file.hasSuffix(fileEnding) && !file.hasPrefix(".") && file.count > fileEnding.count
  }
}
