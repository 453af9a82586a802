// Decides what becomes of a game when its files are read again.

internal import GameConfCore
import GameConfStorage

/// The decision on one game: what was accepted, what was found, what follows.
enum CatalogVerdict {
  /// The files say what they said before.
  case unchanged
  /// A catalog that is to be accepted.
  case accept(Catalog, files: [AcceptedFile], warnings: [String])
  /// The accepted catalog stays in force.
  case keep(DegradationKind, details: [String])
  /// The files are bad and nothing is in force.
  case refuse([String])

  /// Decides on a game.
  /// - Parameters:
  ///   - accepted: the files that were accepted last; nil when none ever were.
  ///   - isInForce: whether what was accepted is served.
  ///   - isSettled: whether the store knows of the revision it is served at; if not, the same files are accepted once more.
  ///   - reading: what the places hold now; nil when they hold nothing of this game.
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
