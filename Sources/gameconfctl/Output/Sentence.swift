// Text for people in which values from outside the program cannot control a terminal.

import GameConfCore

/// A sentence, or a part of one, for people or for a pipe.
///
/// Literal text is written unchanged. Every interpolated value is escaped when it is shown, so that `"\(name) is removed"` is always safe.
/// A time is written in the reader's form, `"until \(time: end)"`. A count is written with its noun, `"\(count, "override") removed"`.
struct Sentence: Sendable, Equatable, ExpressibleByStringInterpolation {
  fileprivate enum SentencePart: Sendable {
    /// Text from the source code, which needs no escapes.
    case literal(String)
    /// Text from outside the program, which is escaped. `keepingLines` preserves its line breaks.
    case outside(String, keepingLines: Bool)
    case time(Instant, InstantContext)
  }

  private var parts: [SentencePart]

  private init(_ parts: [SentencePart]) { self.parts = parts }
  init(stringLiteral literal: String) { self.init([.literal(literal)]) }
  init(stringInterpolation interpolation: StringInterpolation) { self.init(interpolation.parts) }

  init(outside text: String) { self.init([.outside(text, keepingLines: false)]) }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [SentencePart] = []

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { if !literal.isEmpty { parts.append(.literal(literal)) } }
    mutating func appendInterpolation(_ sentence: Sentence) { parts += sentence.parts }
    mutating func appendInterpolation(_ text: String) { parts.append(.outside(text, keepingLines: false)) }
    mutating func appendInterpolation(_ value: Value) { appendInterpolation(ValueStyle.phrase(value)) }
    mutating func appendInterpolation(_ other: some CustomStringConvertible) { appendInterpolation(other.description) }
    /// Interpolates a text of several lines and preserves its line breaks.
    mutating func appendInterpolation(lines text: String) { parts.append(.outside(text, keepingLines: true)) }
    /// Interpolates a point in time, which is written in the form for the reader.
    mutating func appendInterpolation(time: Instant, _ place: InstantContext = .sentence) { parts.append(.time(time, place)) }
    /// Interpolates a count with its noun, such as `1 key` or `2 keys`.
    mutating func appendInterpolation(_ count: some BinaryInteger, _ noun: String, _ plural: String? = nil) {
      parts.append(.literal("\(count) \(count == 1 ? noun : plural ?? noun + "s")"))
    }
  }

  /// Returns the text in the form for a reader.
  /// - Parameter style: The style of a person's output; nil for a pipe.
  func text(_ style: OutputStyle? = nil) -> String {
    written(style) { TerminalText.escaped($0, keepingLines: $1) }
  }

  /// The text without escapes, for JSON, whose writer escapes it.
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

  /// True if both sentences have the same text in a pipe.
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
