// Chooses the files in several places that describe a game: earlier places hide later ones, drop-ins add up.

/// The contents of one of the places for catalogs, as a listing of names.
public struct CatalogLocation: Sendable, Hashable {
  /// The directory, without a slash at its end.
  public var directory: String
  /// The names of the files in it.
  public var files: [String]
  /// The names of the files in each of its directories whose name ends in `.d`, by that name.
  public var dropIns: [String: [String]]

  /// A place.
  public init(directory: String, files: [String], dropIns: [String: [String]] = [:]) {
    self.directory = directory
    self.files = files
    self.dropIns = dropIns
  }
}

/// The files one game is read from.
public struct CatalogSources: Sendable, Hashable {
  /// The game's id, which is the file's name.
  public var game: String
  /// The file that counts.
  public var main: String
  /// Files of the same name in later places, which do not count.
  public var hidden: [String]
  /// The drop-ins, in the order they apply.
  public var dropIns: [String]

  /// The files of a game.
  public init(game: String, main: String, hidden: [String] = [], dropIns: [String] = []) {
    self.game = game
    self.main = main
    self.hidden = hidden
    self.dropIns = dropIns
  }
}

/// Decides which files count.
public enum CatalogLocations {
  /// The places of catalogs unless `--defaults` names another place; the first hides the others.
  public static let standard = ["/etc/gameconfd/games", "/run/gameconfd/games", "/usr/share/gameconfd/games"]

  /// The ending of a catalog's file.
  public static let fileEnding = ".yaml"
  /// The ending of a directory of drop-ins.
  public static let directoryEnding = ".d"

  /// The contents of the places.
  public struct Survey: Sendable, Hashable {
    /// The games, by id.
    public var games: [CatalogSources] = []
    /// Files that count for nothing, each with the reason.
    public var remarks: [String] = []
  }

  /// The games that the places hold, the first place first.
  ///
  /// A file hides those of the same name in later places; so does a drop-in. Drop-ins of all places apply in the order of their names.
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

  /// Warns of a hidden file that has keys the one that counts lacks; nil when it has none.
  public static func remark(onHidden path: String, keys: some Sequence<String>, by winner: String, winnerKeys: Set<String>) -> String? {
    let lacking = keys.filter { !winnerKeys.contains($0) }
    if lacking.isEmpty { return nil }
    return "\(winner) hides \(path), which has keys it lacks: \(ParameterAdmission.listed(lacking.sorted()))"
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
