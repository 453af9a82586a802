// Decides after a reading of a game's files if a new catalog is accepted, the last one stays, or the game is refused.

internal import GameConfCore
import GameConfStorage

/// The decision about one game's files.
enum CatalogVerdict {
  /// The files equal the accepted ones.
  case unchanged
  /// The catalog is valid and new, and is to be accepted.
  case accept(Catalog, files: [AcceptedFile], warnings: [String])
  /// The last accepted catalog stays in force, and the game is degraded for the given reason.
  case keep(DegradationKind, details: [String])
  /// The files are invalid and no catalog is in force.
  case refuse([String])

  /// Decides about a game; nil if it has neither files nor an accepted catalog.
  /// - Parameters:
  ///   - accepted: The last accepted files; nil before the first acceptance.
  ///   - isInForce: True if the accepted catalog is served.
  ///   - isSettled: True if the database has the catalog at the served revision. If not, the same files are accepted again.
  ///   - reading: The result of reading the files; nil if there are no files of this game.
  init?(_ game: String, accepted: [AcceptedFile]?, isInForce: Bool, isSettled: Bool, reading: CatalogLoad?) {
    switch (reading?.outcome, isInForce) {
    case (nil, true):
      self = .keep(
        .catalogVanished,
        details: [
          "the catalog's file is gone, and the last accepted one is in force; restore the file, or remove the game with “gameconfctl catalog forget \(game)”"
        ])
    case (nil, false):
      if accepted == nil { return nil }
      self = .refuse(["the catalog's file is gone, and the accepted copy cannot be read; restore the file"])
    case (.read(let catalog, let warnings)?, _):
      let files = reading?.files ?? []
      let isSame = isInForce && isSettled && accepted?.map(\.bytes) == files.map(\.bytes)
      self = isSame ? .unchanged : .accept(catalog, files: files, warnings: warnings)
    case (.refused(let faults)?, true):
      self = .keep(.catalogRefused, details: faults)
    case (.refused(let faults)?, false):
      self = .refuse(faults)
    }
  }
}
