// Text for a reader, in which text from outside cannot control a terminal.

import GameConfCore

/// A sentence, or a part of one.
///
/// Literal text is written unchanged. Every interpolated value is escaped when it is shown, so that `"\(name) is removed"` is always safe.
/// A time is written for its reader, `"until \(time: end)"`, and a count with its noun, `"\(count, "override") removed"`.
struct Sentence: Sendable, Equatable, ExpressibleByStringInterpolation {
  fileprivate enum Part: Sendable {
    /// A part from the source code.
    case literal(String)
    /// A text from outside; `keepingLines` preserves its line breaks.
    case outside(String, keepingLines: Bool)
    case time(Instant, InstantContext)
  }

  private var parts: [Part]

  private init(_ parts: [Part]) { self.parts = parts }
  init(stringLiteral literal: String) { self.init([.literal(literal)]) }
  init(stringInterpolation interpolation: StringInterpolation) { self.init(interpolation.parts) }

  init(outside text: String) { self.init([.outside(text, keepingLines: false)]) }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { if !literal.isEmpty { parts.append(.literal(literal)) } }
    mutating func appendInterpolation(_ sentence: Sentence) { parts += sentence.parts }
    mutating func appendInterpolation(_ text: String) { parts.append(.outside(text, keepingLines: false)) }
    mutating func appendInterpolation(_ value: Value) { appendInterpolation(ValueStyle.phrase(value)) }
    mutating func appendInterpolation(_ other: some CustomStringConvertible) { appendInterpolation(other.description) }
    /// Writes a text of several lines.
    mutating func appendInterpolation(lines text: String) { parts.append(.outside(text, keepingLines: true)) }
    /// Writes a time in the reader's form.
    mutating func appendInterpolation(time: Instant, _ place: InstantContext = .sentence) { parts.append(.time(time, place)) }
    /// Writes a count with its noun: `1 key`, `2 keys`.
    mutating func appendInterpolation(_ count: some BinaryInteger, _ noun: String, _ plural: String? = nil) {
      parts.append(.literal("\(count) \(count == 1 ? noun : plural ?? noun + "s")"))
    }
  }

  /// Returns the text for a reader.
  /// - Parameter style: The reader's style; nil for a program.
  func text(_ style: OutputStyle? = nil) -> String {
    written(style) { TerminalText.escaped($0, keepingLines: $1) }
  }

  /// The text for JSON, whose writer does the escaping.
  var unescaped: String { written(nil) { text, _ in text } }

  private func written(_ style: OutputStyle?, outside: (String, Bool) -> String) -> String {
    parts.map { part in
      switch part {
      case .literal(let text): text
      case .outside(let text, let keepsLines): outside(text, keepsLines)
      case .time(let instant, let place): style?.time(instant, in: place) ?? instant.text
      }
    }.joined()
  }

  var isEmpty: Bool { text().isEmpty }

  /// True if both have the same text.
  static func == (left: Sentence, right: Sentence) -> Bool { left.text() == right.text() }
  static func + (left: Sentence, right: Sentence) -> Sentence { Sentence(left.parts + right.parts) }
  static func += (left: inout Sentence, right: Sentence) { left.parts += right.parts }
}

extension Sequence<Sentence> {
  func joined(separator: Sentence = "") -> Sentence {
    var joined: Sentence = ""
    for (at, sentence) in enumerated() { joined += at == 0 ? sentence : separator + sentence }
    return joined
  }
}

extension DefaultStringInterpolation {
  @available(*, unavailable, message: "a sentence is written by a screen, or by text(_:)")
  mutating func appendInterpolation(_ sentence: Sentence) {}
}
