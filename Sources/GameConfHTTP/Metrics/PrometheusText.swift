// Writes metrics in Prometheus' text format, version 0.0.4.

/// A writer of metric families in Prometheus' text format.
struct PrometheusText {
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  enum Kind: String, Sendable, Hashable { case counter, gauge, histogram }

  private(set) var text = ""

  /// Writes the HELP and TYPE lines of a metric family. The samples of the family must follow.
  mutating func family(_ name: String, _ kind: Kind, _ help: String) {
    if !help.isEmpty { text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n" }
    text += "# TYPE \(name) \(kind.rawValue)\n"
  }

  /// Writes a sample of the metric family that was begun last.
  mutating func sample(_ name: String, by labels: [(String, String)] = [], _ value: Double) {
    text += name
    let rendered = Self.rendered(labels)
    if !rendered.isEmpty { text += "{\(rendered)}" }
    text += " \(Self.number(value))\n"
  }

  /// Writes the samples of a histogram: its cumulative buckets, sum and count.
  /// - Parameter counts: The number of values in each bucket. The last bucket has no upper bound.
  mutating func histogram(_ name: String, _ labels: [(String, String)] = [], bounds: [Double], counts: [UInt64], sum: Double) {
    var total: UInt64 = 0
    for (at, count) in counts.enumerated() {
      total += count
      sample(name + "_bucket", by: labels + [("le", at < bounds.count ? Self.number(bounds[at]) : "+Inf")], Double(total))
    }
    sample(name + "_sum", by: labels, sum)
    sample(name + "_count", by: labels, Double(total))
  }

  /// Returns the labels in the form that Prometheus expects between the braces of a sample.
  static func rendered(_ labels: [(String, String)]) -> String {
    labels.map { "\($0)=\"\(escaped($1, quotes: true))\"" }.joined(separator: ",")
  }

  /// Returns the text as a valid metric name. An invalid character becomes an underscore.
  static func name(_ text: String) -> String {
    let name = String(
      text.unicodeScalars.map { scalar in
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) ? Character(scalar) : "_"
      })
    return name.first.map { $0.isNumber } == false ? name : "_" + name
  }

  private static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    if let whole = Int64(exactly: value) { return String(whole) }
    return String(value)
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quotes: escaped += "\\\""
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
