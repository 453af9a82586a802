// The sources of the words that complete an argument.

import ArgumentParser

enum CompletionSource: Equatable {
  /// The ids that the running daemon knows.
  enum Ids: String, CaseIterable {
    case games, keys, flags, themes, products, placements, gates, entitlements, events, modes, settings, players, transactions, values,
      scenarios
  }

  case nothing
  case words([String])
  case files
  case ids(Ids)
}

extension CompletionKind {
  /// The prefix before the kind of ids in the parser's own description, from which `complete` reads the kind.
  static let idsCommand = "gameconfctl complete --ids "

  private static func ids(_ ids: CompletionSource.Ids) -> CompletionKind { .shellCommand(idsCommand + ids.rawValue) }

  static var games: CompletionKind { ids(.games) }
  static var keys: CompletionKind { ids(.keys) }
  /// The game's feature flags.
  static var flags: CompletionKind { ids(.flags) }
  static var themes: CompletionKind { ids(.themes) }
  static var products: CompletionKind { ids(.products) }
  static var placements: CompletionKind { ids(.placements) }
  static var gates: CompletionKind { ids(.gates) }
  static var entitlements: CompletionKind { ids(.entitlements) }
  static var events: CompletionKind { ids(.events) }
  static var modes: CompletionKind { ids(.modes) }
  /// The keys of settings that players choose.
  static var settings: CompletionKind { ids(.settings) }
  static var players: CompletionKind { ids(.players) }
  /// The names of a transaction: a product or an entitlement.
  static var transactions: CompletionKind { ids(.transactions) }
  /// The scenarios in force.
  static var scenarios: CompletionKind { ids(.scenarios) }
  /// The values that the preceding key admits.
  static var values: CompletionKind { ids(.values) }
}
