// One-time codes, which the address contains instead of the token.

import Synchronization

/// The open codes. A code appears in an address, an argument list or a terminal; the token appears in none of these.
final class PanelCodes: Sendable {
  /// The validity of a code for a browser that the program itself opens.
  static let openedSeconds = 60
  private static let openMax = 16

  private struct PanelCode {
    var text: String
    var until: ContinuousClock.Instant?
  }

  private let open = Mutex<[PanelCode]>([])

  /// Creates a code.
  /// - Parameter until: The end of its validity; nil for a code that is valid until its first use.
  func make(until: ContinuousClock.Instant? = nil) -> String {
    let text = RandomText.hexadecimal()
    open.withLock { codes in
      if codes.count >= Self.openMax { codes.removeFirst() }
      codes.append(PanelCode(text: text, until: until))
    }
    return text
  }

  /// Consumes a code.
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
