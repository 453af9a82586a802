// What becomes of a game when its files are read again.

internal import GameConfCore

/// The decision on one game: what was accepted, what was found, what follows.
enum CatalogVerdict {
  /// The files say what they said before.
  case unchanged
  /// A catalog that is to be accepted.
  case accept(Catalog, files: [AcceptedFile], warnings: [String])
  /// What was accepted stays in force.
  case keep(Degradation.What, details: [String])
  /// The files are bad and nothing was ever accepted.
  case refuse([String])

  /// Decides on a game.
  /// - Parameters:
  ///   - accepted: the files that were accepted last; nil when none ever were.
  ///   - reading: what the places hold now; nil when they hold nothing of this game.
  init?(accepted: [AcceptedFile]?, reading: GameReading?) {
    switch (accepted, reading?.outcome) {
    case (nil, nil):
      return nil
    case (_?, nil):
      self = .keep(.catalogVanished, details: ["the catalog's file is gone; the last accepted one is in force"])
    case (let accepted, .read(let catalog, let warnings)?):
      let files = reading?.files ?? []
      self =
        accepted.map { $0.map(\.bytes) == files.map(\.bytes) } == true ? .unchanged : .accept(catalog, files: files, warnings: warnings)
    case (nil, .refused(let faults)?):
      self = .refuse(faults)
    case (_?, .refused(let faults)?):
      self = .keep(.catalogRefused, details: faults)
    }
  }
}
