// One-time codes that an address contains in place of the panel's token.

import Synchronization

/// The one-time codes that can still be exchanged for the panel's token. Other users may see a code in an address or an argument list, so
/// the token itself is never there.
final class PanelCodes: Sendable {
  /// The time in seconds for which a code is valid if the program itself opens the browser.
  static let openedSeconds = 60
  private static let openMax = 16

  private struct PanelCode {
    var text: String
    var until: ContinuousClock.Instant?
  }

  private let open = Mutex<[PanelCode]>([])

  /// Creates a one-time code.
  /// - Parameter until: The end of the code's validity; nil for a code that is valid until it is used.
  func make(until: ContinuousClock.Instant? = nil) -> String {
    let text = RandomText.hexadecimal()
    open.withLock { codes in
      if codes.count >= Self.openMax { codes.removeFirst() }
      codes.append(PanelCode(text: text, until: until))
    }
    return text
  }

  /// Uses up a one-time code.
  /// - Returns: False if the code does not exist or has expired.
  func use(_ text: String, now: ContinuousClock.Instant = .now) -> Bool {
    open.withLock { codes in
      codes.removeAll { code in code.until.map { $0 < now } ?? false }
      guard let at = codes.firstIndex(where: { BridgeGate.areSame($0.text, text) }) else { return false }
      codes.remove(at: at)
      return true
    }
  }
}
