// Parses a regular expression to a syntax tree. A fault has its position in the expression.

/// A node in the syntax tree of a regular expression.
indirect enum PatternNode {
  case empty
  case scalar(UInt32)
  case oneOf(PatternClass)
  case assertion(PatternAssertion)
  case sequence([PatternNode])
  case choice([PatternNode])
  /// At least `least` and at most `most` repetitions of a node. If `most` is nil, there is no upper bound.
  case repeated(PatternNode, least: Int, most: Int?)

  /// An upper bound of the number of instructions that the node compiles to. It also bounds the time for compilation.
  var size: Int {
    switch self {
    case .empty: 0
    case .scalar, .oneOf, .assertion: 1
    case .sequence(let nodes): nodes.reduce(0) { $0 + $1.size }
    case .choice(let nodes): nodes.reduce(0) { $0 + $1.size + 2 }
    case .repeated(let node, let least, let most): (max(node.size, 1) + 1) * (most ?? least + 1) + 1
    }
  }
}

/// A condition of zero width on the two characters around a position in the text.
enum PatternAssertion: Sendable { case start, end, wordBoundary, noWordBoundary }

struct PatternParser {
  private let scalars: [Unicode.Scalar]
  private let lengthFault: PatternFault?
  private var at = 0
  private var depth = 0

  init(_ source: String) {
    let scalarsMax = Pattern.sourceScalarsMax
    self.scalars = Array(source.unicodeScalars.prefix(scalarsMax + 1))
    self.lengthFault =
      scalars.count > scalarsMax
      ? PatternFault(offset: scalarsMax, message: "An expression may have \(scalarsMax) characters, not more.") : nil
  }

  mutating func expression() throws(PatternFault) -> PatternNode {
    if let lengthFault { throw lengthFault }
    let node = try choice()
    if at < scalars.count { throw fault("This ) closes no group; write \\) for the character.") }
    guard node.size <= Pattern.programMax else { throw tooBig(at: 0) }
    return node
  }

  private mutating func choice() throws(PatternFault) -> PatternNode {
    var branches = [try sequence()]
    while take("|") { branches.append(try sequence()) }
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  private mutating func sequence() throws(PatternFault) -> PatternNode {
    var nodes: [PatternNode] = []
    while let next = peek, next != "|", next != ")" {
      let start = at
      let atom = try atom()
      nodes.append(try quantified(atom, from: start))
    }
    return nodes.count == 1 ? nodes[0] : nodes.isEmpty ? .empty : .sequence(nodes)
  }

  private mutating func quantified(_ atom: PatternNode, from start: Int) throws(PatternFault) -> PatternNode {
    let quantifierAt = at
    guard let (least, most) = try quantifier() else { return atom }
    if case .assertion = atom {
      throw PatternFault(offset: quantifierAt, message: "The part before it has no length and cannot be repeated.")
    }
    _ = take("?")
    if let next = peek, next == "*" || next == "+" || next == "?" || next == "{" {
      throw fault("A repetition cannot be repeated itself; put the part before it into a group (?:…).")
    }
    let node = PatternNode.repeated(atom, least: least, most: most)
    guard node.size <= Pattern.programMax else { throw tooBig(at: start) }
    return node
  }

  private mutating func quantifier() throws(PatternFault) -> (least: Int, most: Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    guard peek == "{" else { return nil }
    let start = at
    at += 1
    let malformed = PatternFault(offset: start, message: "A count is written {2}, {2,} or {2,5}; write \\{ for the character.")
    guard let least = try count() else { throw malformed }
    var most: Int? = least
    if take(",") { most = try count() }
    guard take("}") else { throw malformed }
    if let most, most < least {
      throw PatternFault(offset: start, message: "The counts are in the wrong order; the smaller comes first.")
    }
    return (least, most)
  }

  private mutating func count() throws(PatternFault) -> Int? {
    let start = at
    var value: Int?
    while let next = peek, isDigit(next) {
      value = min((value ?? 0) * 10 + Int(next.value - 0x30), Pattern.repetitionsMax + 1)
      at += 1
    }
    if let value, value > Pattern.repetitionsMax {
      throw PatternFault(offset: start, message: "A count goes to \(Pattern.repetitionsMax), not further.")
    }
    return value
  }

  private mutating func atom() throws(PatternFault) -> PatternNode {
    guard let next = peek else { return .empty }
    switch next {
    case "(": return try group()
    case "[": return .oneOf(try bracketed())
    case "\\": return try escaped()
    case ".": return advanced(.oneOf(.dot))
    case "^": return advanced(.assertion(.start))
    case "$": return advanced(.assertion(.end))
    case "*", "+", "?": throw fault("There is nothing before this \(next) to repeat; write \\\(next) for the character.")
    case "{", "}", "]": throw fault("Write \\\(next) for the character \(next).")
    default: return advanced(.scalar(next.value))
    }
  }

  private mutating func advanced(_ node: PatternNode) -> PatternNode {
    at += 1
    return node
  }

  private mutating func group() throws(PatternFault) -> PatternNode {
    let start = at
    at += 1
    if take("?"), !take(":") { try skipGroupName(from: start) }
    depth += 1
    if depth > Pattern.nestingMax { throw PatternFault(offset: start, message: "Groups may nest \(Pattern.nestingMax) deep, not deeper.") }
    let node = try choice()
    guard take(")") else { throw PatternFault(offset: start, message: "This group is not closed; a ) is missing.") }
    depth -= 1
    // A group is a node of its own even if it contains only an assertion, so that (^)? is valid although ^? is not.
    return .sequence([node])
  }

  private mutating func skipGroupName(from start: Int) throws(PatternFault) {
    let looksAround = PatternFault(
      offset: start, message: "Looking ahead or behind, (?= (?! (?<= (?<!, is not available: it cannot be matched in linear time.")
    let unknown = PatternFault(offset: start, message: "(? must be followed by : for a group without a name, or by <name>.")
    if take("=") || take("!") { throw looksAround }
    guard take("<") else { throw unknown }
    if take("=") || take("!") { throw looksAround }
    let nameAt = at
    while let next = peek, PatternClass.word.contains(next.value) { at += 1 }
    guard at > nameAt, take(">") else { throw unknown }
  }

  private mutating func escaped() throws(PatternFault) -> PatternNode {
    let start = at
    guard at + 1 < scalars.count else { throw fault("The expression ends after a backslash; write \\\\ for the character.") }
    switch scalars[at + 1] {
    case "b":
      at += 2
      return .assertion(.wordBoundary)
    case "B":
      at += 2
      return .assertion(.noWordBoundary)
    case "1"..."9", "k":
      throw PatternFault(offset: start, message: "References back to a group are not available: they cannot be matched in linear time.")
    default:
      if let named = namedClass() { return .oneOf(named) }
      return .scalar(try escapedScalar(inClass: false))
    }
  }

  /// Parses a class escape such as `\d`; returns nil if the expression has no such escape at the current position.
  private mutating func namedClass() -> PatternClass? {
    guard at + 1 < scalars.count, scalars[at] == "\\" else { return nil }
    let found: PatternClass?
    switch scalars[at + 1] {
    case "d": found = .digit
    case "D": found = PatternClass.digit.negated
    case "w": found = .word
    case "W": found = PatternClass.word.negated
    case "s": found = .space
    case "S": found = PatternClass.space.negated
    default: found = nil
    }
    if found != nil { at += 2 }
    return found
  }

  private mutating func escapedScalar(inClass: Bool) throws(PatternFault) -> UInt32 {
    let start = at
    guard at + 1 < scalars.count else { throw fault("The expression ends after a backslash; write \\\\ for the character.") }
    let letter = scalars[at + 1]
    at += 2
    switch letter {
    case "t": return 0x09
    case "n": return 0x0A
    case "v": return 0x0B
    case "f": return 0x0C
    case "r": return 0x0D
    case "b" where inClass: return 0x08
    case "0" where !isDigit(peek): return 0
    case "x": return try hex(2, from: start)
    case "u": return try unicode(from: start)
    case "p", "P":
      throw PatternFault(offset: start, message: "\\\(letter){…} is not available; name the characters in a class, such as [a-zà-ÿ].")
    case "!"..."/", ":"..."@", "["..."\u{60}", "{"..."~": return letter.value
    default:
      throw PatternFault(offset: start, message: "\\\(letter) has no meaning; write the character without the backslash.")
    }
  }

  private mutating func unicode(from start: Int) throws(PatternFault) -> UInt32 {
    if take("{") {
      var value: UInt32 = 0
      var digits = 0
      while let next = peek, let digit = hexDigit(next), digits < 8 {
        value = value << 4 | digit
        digits += 1
        at += 1
      }
      guard digits > 0, take("}"), Unicode.Scalar(value) != nil else { throw notHex(start) }
      return value
    }
    let first = try hex(4, from: start)
    if Unicode.Scalar(first) != nil { return first }
    let lone = PatternFault(offset: start, message: "This is half of a surrogate pair; write the character itself or \\u{1F600}.")
    guard first < 0xDC00, take("\\"), take("u") else { throw lone }
    let second = try hex(4, from: start)
    guard (0xDC00..<0xE000).contains(second) else { throw lone }
    return 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
  }

  private mutating func hex(_ count: Int, from start: Int) throws(PatternFault) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let next = peek, let digit = hexDigit(next) else { throw notHex(start) }
      value = value << 4 | digit
      at += 1
    }
    return value
  }

  private func notHex(_ start: Int) -> PatternFault {
    PatternFault(offset: start, message: "A character by its number is written \\xE9, \\u00E9 or \\u{1F600}.")
  }

  private func isDigit(_ scalar: Unicode.Scalar?) -> Bool { scalar.map { PatternClass.digit.contains($0.value) } ?? false }

  private func hexDigit(_ scalar: Unicode.Scalar) -> UInt32? {
    switch scalar {
    case "0"..."9": scalar.value - 0x30
    case "a"..."f": scalar.value - 0x61 + 10
    case "A"..."F": scalar.value - 0x41 + 10
    default: nil
    }
  }

  private mutating func bracketed() throws(PatternFault) -> PatternClass {
    let start = at
    at += 1
    let isNegated = take("^")
    var ranges: [ClosedRange<UInt32>] = []
    while true {
      guard let next = peek else { throw PatternFault(offset: start, message: "This class is not closed; a ] is missing.") }
      if next == "]" { break }
      let itemAt = at
      let named = namedClass()
      let low = named == nil ? try classScalar() : 0
      let isRange = peek == "-" && at + 1 < scalars.count && scalars[at + 1] != "]"
      if isRange {
        at += 1
        guard named == nil, namedClass() == nil else {
          throw PatternFault(offset: itemAt, message: "A range goes from one character to another; write \\- for the character -.")
        }
        let high = try classScalar()
        guard low <= high else {
          throw PatternFault(offset: itemAt, message: "The range is in the wrong order; the smaller character comes first.")
        }
        ranges.append(low...high)
      } else if let named {
        ranges += named.ranges
      } else {
        ranges.append(low...low)
      }
    }
    at += 1
    let found = PatternClass(ranges)
    return isNegated ? found.negated : found
  }

  private mutating func classScalar() throws(PatternFault) -> UInt32 {
    guard let next = peek else { return 0 }
    if next == "\\" { return try escapedScalar(inClass: true) }
    at += 1
    return next.value
  }

  private var peek: Unicode.Scalar? { at < scalars.count ? scalars[at] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    at += 1
    return true
  }

  private func fault(_ message: String) -> PatternFault { PatternFault(offset: at, message: message) }

  private func tooBig(at offset: Int) -> PatternFault {
    PatternFault(offset: offset, message: "Written out without counts, this has more than \(Pattern.programMax) steps; use smaller counts.")
  }
}
