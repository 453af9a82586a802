// The port through which the engine gets catalogs: files from the places, read and checked.

public import GameConfCore
public import GameConfStorage

/// The outcome of reading a game's files.
public struct CatalogLoad: Sendable {
  /// The files hold a catalog, or they do not.
  public enum Outcome: Sendable {
    /// They do; the warnings are for status.
    case read(Catalog, warnings: [String])
    /// They do not; each line is `file:line:column: message`.
    case refused([String])
  }

  /// The game's id, by its file's name.
  public var game: String
  /// The files, the catalog first; their names are what faults name. Empty when none could be read.
  public var files: [AcceptedFile]
  /// The path of the catalog's file; nil for bytes that were accepted earlier.
  public var path: String?
  /// The outcome: a catalog, or none.
  public var outcome: Outcome

  /// A reading.
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

/// Everything that is in the places catalogs come from.
public struct CatalogLoads: Sendable {
  /// A reading for each game that has a file.
  public var games: [CatalogLoad]
  /// Other warnings: hidden files with keys the winner lacks, folders that cannot be read.
  public var warnings: [String]

  /// Readings.
  public init(games: [CatalogLoad], warnings: [String] = []) {
    self.games = games
    self.warnings = warnings
  }
}

/// Reads catalogs from where they are kept.
public protocol CatalogSource: Sendable {
  /// Reads every game anew.
  func read() async -> CatalogLoads
  /// Reads bytes that were accepted earlier.
  func read(_ accepted: AcceptedCatalog) async -> CatalogLoad
}
