// Tests regular expressions: matches, rejected syntax, and linear run time.

import TestSupport
import Testing

@testable import GameConfCore

@Suite("Regular expressions")
struct PatternTests {
  @Test(
    "a regular expression matches as ECMA-262 defines",
    arguments: [
      ("", ["", "a"], []), ("a", ["a", "bab"], ["", "b", "A"]), ("^a$", ["a"], ["", "aa", "ba", "a\n"]), ("a|b", ["a", "xb"], ["c", ""]),
      ("^(?:a|b|)$", ["", "a", "b"], ["ab"]),
      ("^ab*$", ["a", "ab", "abbb"], ["b", "aab"]), ("^ab+$", ["ab", "abb"], ["a"]), ("^ab?$", ["a", "ab"], ["abb"]),
      ("^a{2}$", ["aa"], ["a", "aaa"]), ("^a{2,}$", ["aa", "aaaaa"], ["a"]),
      ("^a{2,3}$", ["aa", "aaa"], ["a", "aaaa"]), ("^a{0}$", [""], ["a"]), ("^a{0,2}?b$", ["b", "aab"], ["aaab"]),
      ("^(ab){2}$", ["abab"], ["ab", "aabb"]), ("^(a*)*$", ["", "aaa"], ["b"]),
      ("^(a|b)*?c+?$", ["c", "abacc"], ["ab"]), ("^(a?){3}$", ["", "a", "aaa"], ["aaaa"]), ("^(?<name>x)y$", ["xy"], ["x"]),
      ("(^a|b$)", ["ab", "ax", "xb"], ["xa", "bx"]), ("(^)*a", ["ba"], ["b"]),
      (".", ["a", "é", "😀", "\u{301}"], ["", "\n", "\r", "\u{2028}", "\r\n"]), ("^.$", ["😀"], ["👍🏽", "e\u{301}"]),
      ("^\\d+$", ["0123456789"], ["١", "a", ""]), ("^\\w$", ["a", "Z", "0", "_"], ["-", "é", " "]),
      ("^\\s$", [" ", "\t", "\n", "\u{A0}", "\u{FEFF}", "\u{3000}", "\u{2028}"], ["a", "\u{200B}", ""]),
      ("^\\D\\W\\S$", ["a-b", "é é"], ["1-b", "aab", "a- "]),
      ("^[a-c]$", ["a", "b", "c"], ["d", "-", "B"]), ("^[^a-c]$", ["d", "😀", "\n"], ["a", "c", ""]), ("^[-a]$", ["-", "a"], ["b"]),
      ("^[a-]$", ["-", "a"], ["b"]), ("^[\\]\\\\^]$", ["]", "\\", "^"], ["["]),
      ("^[[.*+?(){}|]$", ["[", ".", "(", "|"], ["]"]), ("^[\\d_-]+$", ["1_-"], ["a"]), ("^[^\\s\\d]$", ["a"], ["1", " "]),
      ("[]", [], ["", "a"]), ("^[^]$", ["a", "\n"], [""]), ("^[\\b]$", ["\u{8}"], ["b"]),
      ("^[à-ÿ]$", ["é", "à"], ["a", "ÿ\u{301}"]), ("^[a-z\\u{1F600}-\\u{1F64F}]$", ["😀", "q"], ["🚀"]),
      ("\\bcat\\b", ["cat", "a cat.", "cat-like"], ["concat", "cats", "_cat"]), ("\\Bat", ["cat"], ["at", "c at"]),
      ("^\\.\\-\\/\\$\\^\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\\\$", [".-/$^*+?()[]{}|\\"], [""]),
      ("^\\t\\n\\v\\f\\r\\0$", ["\t\n\u{B}\u{C}\r\0"], ["tnvfr0"]), ("^\\x41\\u0042\\u{43}\\uD83D\\uDE00$", ["ABC😀"], ["ABC"]),
      ("^é$", ["é"], ["e\u{301}"]), ("^\\r\\n$", ["\r\n"], ["\n"]),
      ("^#[0-9A-Fa-f]{6}$", ["#05060A", "#22d3ee"], ["05060A", "#05060", "#05060AA"]),
      ("^[a-z][a-z0-9-]{0,62}$", ["wheresthedot", "a"], ["", "1a", "A"]), ("^(a|ab)(c|bcd)$", ["abcd", "ac", "abc"], ["abbcd ", "ad"]),
      ("^a{1000}$", [String(repeating: "a", count: 1000)], [String(repeating: "a", count: 999)]),
      ("a$|^b", ["b", "ca"], ["ab", "cb"]), ("$^", [""], ["a"]), ("^-$", ["-"], [""]), ("a,b:c", ["a,b:c"], []),
    ] as [(String, [String], [String])])
  func matches(source: String, matching: [String], others: [String]) throws {
    let pattern = try Pattern(compiling: source)
    for text in matching { #expect(pattern.matches(in: text), "\(source) should match \(text.debugDescription)") }
    for text in others { #expect(!pattern.matches(in: text), "\(source) should not match \(text.debugDescription)") }
  }

  @Test(
    "an invalid or unsupported regular expression is rejected at its position",
    arguments: [
      ("(", 0), ("a(b", 1), (")", 0), ("a)b", 1), ("*", 0), ("a|*", 2), ("a**", 2), ("a+*", 2), ("a++", 2), ("a{2}{3}", 4), ("(?:+)", 3),
      ("{", 0), ("a{", 1), ("a{,3}", 1), ("a{x}", 1), ("a{3,2}", 1),
      ("a{1001}", 2), ("a{99999999999999999999}", 2), ("}", 0), ("]", 0), ("[a", 0), ("[z-a]", 1), ("[a-\\d]", 1), ("[\\d-z]", 1),
      ("[\\q]", 1), ("^*", 1), ("\\b+", 2), ("\\", 0), ("a\\", 1), ("\\q", 0), ("\\u12", 0),
      ("\\u{110000}", 0), ("\\u{D800}", 0), ("\\uD800", 0), ("\\uDC00", 0), ("\\u{}", 0), ("\\xg1", 0), ("\\c", 0), ("\\01", 0),
      ("\\p{L}", 0), ("(a)\\1", 3), ("\\k<a>", 0), ("(?=a)", 0), ("a(?!b)", 1), ("(?<=a)", 0),
      ("(?<!a)", 0), ("(?i)a", 0), ("(?<>a)", 0), ("(?#a)", 0), ("((a{100}){100})", 1), ("((){1000}){1000}", 0),
      ("(a{1000}b{1000}c{1000})", 0), (String(repeating: "(", count: 100), 64),
      (String(repeating: "a", count: 4097), 4096),
    ])
  func refused(source: String, offset: Int) {
    let fault = #expect(throws: PatternFault.self) { try Pattern(compiling: source) }
    #expect(fault?.offset == offset)
    #expect(fault?.message.hasSuffix(".") == true)
  }

  @Test(
    "matching takes linear time, also for expressions that make backtracking exponential",
    arguments: ["^(a+)+$", "^(a|a)*$", "^(a*)*b$", "(a?){50}a{50}", "^(.*)(.*)(.*)(.*)x$", "(x+x+)+y", "^(([a-z])+.)+[A-Z]([a-z])+$"])
  func linear(source: String) throws {
    let pattern = try Pattern(compiling: source)
    func work(_ count: Int) -> Int {
      var steps = 0
      _ = pattern.matches(in: String(repeating: "a", count: count) + "!", steps: &steps)
      return steps
    }
    let perScalar = work(1000) / 1000 + 1
    #expect(work(10_000) <= 10_001 * perScalar + 10 * perScalar)
    #expect(perScalar <= 3 * Pattern.programMax)
  }

  @Test("a match that exceeds the step limit counts as no match")
  func bounded() throws {
    let pattern = try Pattern(compiling: "(a?){1000}b$")
    var steps = 0
    let text = String(repeating: "a", count: 500) + "b"
    #expect(!pattern.matches(in: text, steps: &steps, atMost: 100_000))
    #expect((100_000..<100_000 + 3 * Pattern.programMax).contains(steps))
    #expect(pattern.matches(in: text))
  }

  @Test("random regular expressions match like Swift's Regex")
  func agreement() throws {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<1500 {
      let source = Self.randomSource(depth: 3, using: &generator)
      let pattern = try Pattern(compiling: source)
      let reference = try Regex(source).matchingSemantics(.unicodeScalar).wordBoundaryKind(.simple)
      for _ in 0..<8 {
        let text = String((0..<Int.random(in: 0...7, using: &generator)).map { _ in "abc ".randomElement(using: &generator) ?? "a" })
        #expect(pattern.matches(in: text) == (text.firstMatch(of: reference) != nil), "\(source) on \(text.debugDescription)")
      }
    }
  }

  static func randomSource(depth: Int, using generator: inout SeededGenerator) -> String {
    func deeper(_ generator: inout SeededGenerator) -> String { randomSource(depth: depth - 1, using: &generator) }
    switch Int.random(in: 0..<(depth > 0 ? 10 : 5), using: &generator) {
    case 0: return "a"
    case 1: return "b"
    case 2: return ["[ab]", "[^a]", ".", "\\w", "\\s", "\\b"].randomElement(using: &generator) ?? "."
    case 3: return "c"
    case 4: return ["^", "$", "", "a"].randomElement(using: &generator) ?? ""
    case 5, 6: return deeper(&generator) + deeper(&generator)
    case 7: return "(?:\(deeper(&generator))|\(deeper(&generator)))"
    default:
      let quantifier = ["*", "+", "?", "{2}", "{1,2}", "{0,3}", "{2,}", "*?"].randomElement(using: &generator) ?? "*"
      return "(?:a|\(deeper(&generator)))\(quantifier)"
    }
  }
}
