// Names of games at the press of Tab.

import ArgumentParser

extension CompletionKind {
  /// The games that the daemon serves now.
  static var games: CompletionKind { .shellCommand("gameconfctl games 2>/dev/null | cut -f1") }
}
