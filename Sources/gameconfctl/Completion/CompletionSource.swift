// Declares for each argument where the candidates for its completion come from.

import ArgumentParser

enum CompletionSource: Equatable {
  /// The kinds of ids that the completion reads from the running daemon.
  enum IDKind: String, CaseIterable {
    case games, keys, flags, themes, products, placements, gates, entitlements, events, modes, settings, players, transactions, values,
      scenarios
  }

  case nothing
  case words([String])
  case files
  case ids(IDKind)
}

extension CompletionKind {
  /// The prefix of the shell command that an argument declares to ArgumentParser as its completion; the kind of ids follows it.
  /// `gameconfctl complete` reads the kind from ArgumentParser's description of the argument.
  static let idsCommand = "gameconfctl complete --ids "

  private static func ids(_ ids: CompletionSource.IDKind) -> CompletionKind { .shellCommand(idsCommand + ids.rawValue) }

  static var games: CompletionKind { ids(.games) }
  static var keys: CompletionKind { ids(.keys) }
  /// Completes the keys of the game's feature flags.
  static var flags: CompletionKind { ids(.flags) }
  static var themes: CompletionKind { ids(.themes) }
  static var products: CompletionKind { ids(.products) }
  static var placements: CompletionKind { ids(.placements) }
  static var gates: CompletionKind { ids(.gates) }
  static var entitlements: CompletionKind { ids(.entitlements) }
  static var events: CompletionKind { ids(.events) }
  static var modes: CompletionKind { ids(.modes) }
  /// Completes the keys that players may set themselves.
  static var settings: CompletionKind { ids(.settings) }
  static var players: CompletionKind { ids(.players) }
  /// Completes the products and entitlements by which a transaction can be named.
  static var transactions: CompletionKind { ids(.transactions) }
  /// Completes the ids of the scenarios in force.
  static var scenarios: CompletionKind { ids(.scenarios) }
  /// Completes the values that the key before the argument admits.
  static var values: CompletionKind { ids(.values) }
}
