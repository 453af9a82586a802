// Reads the catalogs that ship with the daemon from the source tree, and describes their parts as text for tables.

import FoundationEssentials
import GameConfCore
import GameConfFormats

/// The error that a shipped catalog cannot be used in a test, with the reason.
struct ShippedCatalogFault: Error, CustomStringConvertible {
  let description: String
}

enum ShippedCatalogs {
  private static let folder: String = {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return "/\(root)/Defaults"
  }()

  private static let readings: [String: CatalogReadResult] = Dictionary(
    uniqueKeysWithValues: ShippedTable.games.compactMap { game in
      (try? bytes(of: game)).map { (game, read(game, $0)) }
    })

  /// Returns the bytes of the game's catalog file in the source tree.
  static func bytes(of game: String) throws -> [UInt8] {
    let path = "\(folder)/\(game).yaml"
    guard let data = FileManager.default.contents(atPath: path) else { throw ShippedCatalogFault(description: "\(path) cannot be read") }
    return [UInt8](data)
  }

  /// Reads these bytes as the catalog file of the game.
  static func read(_ game: String, _ bytes: [UInt8]) -> CatalogReadResult {
    CatalogReader.read(CatalogFiles(main: NamedFile(name: "\(game).yaml", bytes: bytes)))
  }

  /// Reads the game's shipped catalog file. The result has its faults and warnings.
  static func reading(of game: String) throws -> CatalogReadResult {
    guard let reading = readings[game] else { throw ShippedCatalogFault(description: "there is no catalog of \(game)") }
    return reading
  }

  /// Returns the game's shipped catalog. Throws if it has faults.
  static func catalog(of game: String) throws -> Catalog {
    let reading = try reading(of: game)
    guard let catalog = reading.catalog else { throw ShippedCatalogFault(description: reading.report.joined(separator: "\n")) }
    return catalog
  }

  /// Returns a parameter of the game's shipped catalog. Throws if the catalog does not have it.
  static func parameter(_ key: String, of game: String) throws -> Parameter {
    guard let parameter = try catalog(of: game).parameters.first(where: { $0.key == key }) else {
      throw ShippedCatalogFault(description: "\(game) has no parameter \(key)")
    }
    return parameter
  }
}

/// The text notation for parts of a catalog in the tests' tables.
enum Words {
  static func of(_ source: ValueSource) -> String {
    switch source {
    case .value(let value): JSONWriter.text(value)
    case .parameter(let key): "= \(key)"
    case .dailyHash(let salt): "daily_hash \(salt)"
    case .absent: "absent"
    }
  }

  static func of(_ range: NumericRange?) -> String {
    guard let range else { return "" }
    let upper = range.below.map { "<" + of($0) } ?? range.max.map(of) ?? ""
    let bounds = range.above.map { ">" + of($0) } ?? "\(range.min.map(of) ?? "")…\(upper)"
    return bounds + (range.step.map { " step " + of($0) } ?? "")
  }

  static func of(_ bound: NumericRange.Bound) -> String {
    switch bound {
    case .number(let number): of(number)
    case .parameter(let key): key
    }
  }

  static func of(_ number: Value) -> String {
    let text = JSONWriter.text(number)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  static func of(_ prices: [String: String]) -> String {
    prices.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: " ")
  }

  static func of(_ unlock: Theme.Unlock) -> String {
    switch unlock {
    case .free: "free"
    case .milestone(let id): "milestone \(id)"
    case .entitlement(let id): "entitlement \(id)"
    case .parameter(let key): "parameter \(key)"
    }
  }

  static func of(_ milestone: Milestone) -> String {
    let metric =
      switch milestone.metric {
      case .lifetimeScore: "lifetime_score"
      case .gamesPlayed: "games_played"
      case .events(let name): "events \(name)"
      case .bestScore(let mode): "best_score \(mode)"
      case .unlocked(let id): "unlocked \(id)"
      case .bests(let count): ["bests", count.event, count.prefix, count.score.map { "\($0)" }].compactMap { $0 }.joined(separator: " ")
      }
    let threshold =
      switch milestone.threshold {
      case .number(let number): "\(number)"
      case .parameter(let key): key
      }
    return "\(milestone.id): \(metric) at \(threshold)" + (milestone.isAchievement ? ", achievement" : "")
      + (milestone.isProgressive ? ", progressive" : "")
  }
}
