// A strict parser of Prometheus' text format, with which tests check the daemon's metrics.

/// The metric families that Prometheus would read from a text.
struct PrometheusReading {
  struct Sample {
    let name: String
    let labels: [String: String]
    let value: Double
  }

  struct Family {
    let name: String
    let kind: String
    var help: String?
    var samples: [Sample] = []
  }

  struct Fault: Error, CustomStringConvertible {
    let line: Int
    let says: String
    var description: String { "line \(line): \(says)" }
  }

  private(set) var families: [Family] = []
  private var seen: Set<String> = []
  private var help: (name: String, text: String)?

  init(_ text: String) throws {
    guard text.hasSuffix("\n") else { throw Fault(line: 0, says: "the last line does not end") }
    for (at, line) in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      try read(String(line), at + 1)
    }
    if let help { throw Fault(line: 0, says: "\(help.name) has a HELP and nothing else") }
    for family in families { try Self.check(family) }
  }

  func sample(_ name: String, _ labels: [String: String] = [:]) -> Double? {
    families.lazy.flatMap(\.samples).first { $0.name == name && $0.labels == labels }?.value
  }

  private mutating func read(_ line: String, _ number: Int) throws {
    if line.hasPrefix("# HELP ") || line.hasPrefix("# TYPE ") {
      let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
      guard words.count == 4, Self.isName(words[2], colons: true) else { throw Fault(line: number, says: "no name: \(line)") }
      if words[1] == "HELP" {
        guard help == nil else { throw Fault(line: number, says: "two HELP lines") }
        help = (words[2], words[3])
        return
      }
      guard ["counter", "gauge", "histogram"].contains(words[3]) else { throw Fault(line: number, says: "no type: \(words[3])") }
      guard help.map({ $0.name == words[2] }) ?? true else { throw Fault(line: number, says: "the HELP before is another's") }
      guard !families.contains(where: { $0.name == words[2] }) else { throw Fault(line: number, says: "\(words[2]) begins twice") }
      families.append(Family(name: words[2], kind: words[3], help: help?.text))
      help = nil
      return
    }
    guard let family = families.last, help == nil else { throw Fault(line: number, says: "a sample without a TYPE: \(line)") }
    var reader = LineReading(line, number)
    let sample = try reader.sample()
    let suffixes = family.kind == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
    guard suffixes.contains(where: { family.name + $0 == sample.name }) else {
      throw Fault(line: number, says: "\(sample.name) stands in \(family.name)")
    }
    guard seen.insert("\(sample.name) \(sample.labels.sorted { $0.key < $1.key })").inserted else {
      throw Fault(line: number, says: "this series stands twice: \(line)")
    }
    families[families.count - 1].samples.append(sample)
  }

  private static func check(_ family: Family) throws {
    func fault(_ says: String) -> Fault { Fault(line: 0, says: "\(family.name): \(says)") }
    if family.kind == "counter" {
      guard family.name.hasSuffix("_total"), family.samples.allSatisfy({ $0.value >= 0 }) else { throw fault("not a counter") }
    }
    guard family.kind == "histogram" else { return }
    var groups: [[String: String]: [Sample]] = [:]
    for sample in family.samples { groups[sample.labels.filter { $0.key != "le" }, default: []].append(sample) }
    for (labels, samples) in groups {
      let buckets = samples.filter { $0.name.hasSuffix("_bucket") }
      let bounds = buckets.map { $0.labels["le"].flatMap { $0 == "+Inf" ? Double.infinity : Double($0) } ?? .nan }
      guard bounds == bounds.sorted(), Set(bounds).count == bounds.count, bounds.last == .infinity else { throw fault("bounds \(bounds)") }
      let counts = buckets.map(\.value)
      guard counts == counts.sorted() else { throw fault("buckets do not add up") }
      guard samples.first(where: { $0.name.hasSuffix("_count") })?.value == counts.last else { throw fault("count of \(labels)") }
      guard samples.contains(where: { $0.name.hasSuffix("_sum") }) else { throw fault("no sum of \(labels)") }
    }
  }

  static func isName(_ text: String, colons: Bool) -> Bool {
    guard let first = text.unicodeScalars.first, !("0"..."9").contains(first) else { return false }
    return text.unicodeScalars.allSatisfy {
      ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0) || $0 == "_" || (colons && $0 == ":")
    }
  }
}

/// A parser of one sample's line.
private struct LineReading {
  private let scalars: [Unicode.Scalar]
  private let number: Int
  private var at = 0

  init(_ line: String, _ number: Int) {
    scalars = Array(line.unicodeScalars)
    self.number = number
  }

  mutating func sample() throws -> PrometheusReading.Sample {
    let name = try word(colons: true)
    var labels: [String: String] = [:]
    if take("{") {
      repeat {
        let label = try word(colons: false)
        guard take("="), take("\"") else { throw fault("a label without a quoted value") }
        guard labels.updateValue(try quoted(), forKey: label) == nil else { throw fault("\(label) stands twice") }
      } while take(",")
      guard take("}") else { throw fault("labels do not end") }
    }
    guard take(" ") else { throw fault("no value") }
    var rest = ""
    rest.unicodeScalars.append(contentsOf: scalars[at...])
    switch rest {
    case "+Inf": return .init(name: name, labels: labels, value: .infinity)
    case "-Inf": return .init(name: name, labels: labels, value: -.infinity)
    case "NaN": return .init(name: name, labels: labels, value: .nan)
    default:
      guard let value = Double(rest), rest.first.map({ $0.isNumber || $0 == "-" }) == true else { throw fault("no number: \(rest)") }
      return .init(name: name, labels: labels, value: value)
    }
  }

  private mutating func word(colons: Bool) throws -> String {
    var word = ""
    while at < scalars.count, !["{", "}", "=", ",", " ", "\""].contains(scalars[at]) {
      word.unicodeScalars.append(scalars[at])
      at += 1
    }
    guard PrometheusReading.isName(word, colons: colons) else { throw fault("“\(word)” is no name") }
    return word
  }

  private mutating func quoted() throws -> String {
    var text = ""
    while at < scalars.count {
      let scalar = scalars[at]
      at += 1
      if scalar == "\"" { return text }
      guard scalar == "\\" else {
        text.unicodeScalars.append(scalar)
        continue
      }
      if take("n") {
        text += "\n"
      } else if take("\\") {
        text += "\\"
      } else if take("\"") {
        text += "\""
      } else {
        throw fault("an escape")
      }
    }
    throw fault("a value does not end")
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard at < scalars.count, scalars[at] == scalar else { return false }
    at += 1
    return true
  }

  private func fault(_ says: String) -> PrometheusReading.Fault { .init(line: number, says: says) }
}
