// The port that provides the engine with catalogs, read and checked.

public import GameConfCore
public import GameConfStorage

/// The result of reading a game's files.
public struct CatalogLoad: Sendable {
  /// The catalog, or the faults that refuse it.
  public enum Outcome: Sendable {
    /// The files are valid; the warnings are for status.
    case read(Catalog, warnings: [String])
    /// The files are invalid; each line is `file:line:column: message`.
    case refused([String])
  }

  /// The game's id, from its file's name.
  public var game: String
  /// The game's files, the catalog first, with the names that faults refer to. Empty if no file could be read.
  public var files: [AcceptedFile]
  /// The path of the catalog's file; nil for the stored copy of files that were accepted earlier.
  public var path: String?
  /// The catalog if the files are valid, otherwise their faults.
  public var outcome: Outcome

  /// Creates a result without a path, as for files that were accepted earlier.
  public init(game: String, files: [AcceptedFile], outcome: Outcome) {
    self.game = game
    self.files = files
    self.outcome = outcome
  }

  /// The path of the catalog's file if it has faults.
  var faultyFile: String? {
    if case .refused = outcome { path } else { nil }
  }
}

/// The catalogs in all configured folders.
public struct CatalogLoads: Sendable {
  /// The result for each game that has a file.
  public var games: [CatalogLoad]
  /// Warnings about the folders: files that are shadowed but have keys which the chosen file does not have, and unreadable folders.
  public var warnings: [String]

  /// Creates the result of reading all folders once.
  public init(games: [CatalogLoad], warnings: [String] = []) {
    self.games = games
    self.warnings = warnings
  }
}

/// Reads catalogs from their configured source.
public protocol CatalogSource: Sendable {
  /// Reads the files of every game again.
  func read() async -> CatalogLoads
  /// Parses files that were accepted earlier.
  func read(_ accepted: AcceptedCatalog) async -> CatalogLoad
}
