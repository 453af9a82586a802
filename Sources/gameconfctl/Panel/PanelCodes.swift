// Codes that work once: what stands in the address instead of the token.

import Synchronization

/// The codes that are open. A code is in an address, an argument list or a terminal; the token is in none of them.
final class PanelCodes: Sendable {
  /// The time for a browser that the program opens by itself.
  static let openedSeconds = 60
  private static let openMax = 16

  private struct Code {
    var text: String
    var until: ContinuousClock.Instant?
  }

  private let open = Mutex<[Code]>([])

  /// A new code.
  /// - Parameter until: the end of its time; nil lets it work until its first use.
  func make(until: ContinuousClock.Instant? = nil) -> String {
    let text = Self.random()
    open.withLock { codes in
      if codes.count >= Self.openMax { codes.removeFirst() }
      codes.append(Code(text: text, until: until))
    }
    return text
  }

  /// Uses a code up.
  /// - Returns: false when there is none like it, or its time is over.
  func use(_ text: String, now: ContinuousClock.Instant = .now) -> Bool {
    open.withLock { codes in
      codes.removeAll { code in code.until.map { $0 < now } ?? false }
      guard let at = codes.firstIndex(where: { BridgeGate.areSame($0.text, text) }) else { return false }
      codes.remove(at: at)
      return true
    }
  }

  /// 128 random bits.
  static func random() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let text = String(random.next(), radix: 16)
      return String(repeating: "0", count: 16 - text.utf8.count) + text
    }.joined()
  }
}
