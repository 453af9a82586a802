// What is shown, to people and to programs.

import GameConfAPI
import GameConfCore
import Testing

@testable import gameconfctl

@Suite("Showing")
struct ShowingTests {
  @Test(
    "what could play tricks on a terminal is escaped",
    arguments: [
      ("plain – ü 漢", "plain – ü 漢"), ("\u{1B}[31mred", "\\u{1B}[31mred"), ("a\nb\tc\rd", "a\\nb\\tc\\rd"), ("\u{9B}2J", "\\u{9B}2J"),
      ("abc\u{202E}txt", "abc\\u{202E}txt"), ("\u{7F}", "\\u{7F}"), ("\u{2066}x", "\\u{2066}x"), ("\0", "\\u{0}"),
      ("\u{E0041}", "\\u{E0041}"),
    ])
  func escaped(text: String, safe: String) { #expect(SafeText.escaped(text) == safe) }

  @Test("escaped JSON says the same", arguments: [["a\u{9B}b", "\u{202E}"], ["\u{1B}": "\u{E0041}"], "\u{7F}\n"] as [Value])
  func json(value: Value) throws {
    for pretty in [false, true] {
      let text = SafeText.json(value, pretty: pretty)
      #expect(try JSONReader.value(from: text) == value)
      #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || (0x20...0x7E).contains($0.value) })
    }
  }

  @Test("a value alone is exact in a pipe and safe on a terminal")
  func bare() {
    #expect(ValueLook.bare("a\u{1B}\nb", isTerminal: false) == "a\u{1B}\nb")
    #expect(ValueLook.bare("a\u{1B}\nb", isTerminal: true) == "a\\u{1B}\nb")
    #expect(ValueLook.bare(18.0, isTerminal: false) == "18.0")
    #expect(ValueLook.bare([1, 2.0], isTerminal: false) == "[1,2.0]")
  }

  @Test("a table is aligned for people, under its sections and with its marks")
  func aligned() {
    let text = ConfigList.table(Sample.config, onlyOverridden: false).text(isTerminal: true, width: 80)
    #expect(
      text == """
          KEY    VALUE  UNIT  SOURCE         DESCRIPTION

        Tuning
          speed  2.5    s     default        About speed.
          lives  3            default        About lives.

        Flags
        * sound  true         override.game  About sound.

        * overridden

        """)
  }

  @Test(
    "a table is narrowed to the terminal, its longest columns first: words go on below, or are cut with a sign",
    arguments: [
      (
        80, true,
        """
          LAYER          VALUE  WHY                                           REASON
        * override.game  3.5    it stands, and nothing above it has a value   too hard
          default        2.5    a layer above has a value, which comes first  -

        * gave the value

        """
      ),
      (
        50, true,
        """
          LAYER          VALUE  WHY               REASON
        * override.game  3.5    it stands, and    too hard
                                nothing above it
                                has a value
          default        2.5    a layer above     -
                                has a value,
                                which comes
                                first

        * gave the value

        """
      ),
      (
        50, false,
        """
          LAYER          VALUE  WHY               REASON
        * override.game  3.5    it stands, and …  too hard
          default        2.5    a layer above h…  -

        * gave the value

        """
      ),
    ])
  func narrowed(width: Int, isWrapped: Bool, text: String) {
    var table = Table(["layer", "value", "why", "reason"], markMeaning: "gave the value", isWrapped: isWrapped)
    table.add(["override.game", "3.5", "it stands, and nothing above it has a value", "too hard"], isMarked: true)
    table.add(["default", "2.5", "a layer above has a value, which comes first", "-"])
    #expect(table.text(isTerminal: true, width: width) == text)
  }

  @Test("names are whole where a table is cut, however narrow the terminal is, and long words and sentences keep some room")
  func naming() {
    let key = String(repeating: "k", count: 30)
    var table = Table(["key", "value", "description"])
    table.add([key, String(repeating: "v", count: 500), String(repeating: "d", count: 500)])
    let line = { (width: Int) in table.text(isTerminal: true, width: width).split(separator: "\n").last.map(String.init) ?? "" }
    #expect(DisplayWidth.of(line(120)) == 120)
    #expect(line(120).hasPrefix(key + "  "))
    #expect(line(1) == "\(key)  \(String(repeating: "v", count: 39))…  \(String(repeating: "d", count: 19))…")
  }

  @Test("a word longer than its column goes on below, wide characters whole")
  func wrapped() {
    #expect(DisplayWidth.wrapped("one two  three", to: 7) == ["one two", "three"])
    #expect(DisplayWidth.wrapped("abcdefg h", to: 3) == ["abc", "def", "g h"])
    #expect(DisplayWidth.wrapped("漢字漢", to: 5) == ["漢字", "漢"])
    #expect(DisplayWidth.wrapped("", to: 5) == [""])
  }

  @Test("a table in a pipe has no names, and tabs and newlines cannot forge a row")
  func plain() {
    var table = Table(["a", "b"])
    table.add(["1\t2", "3\n4"], section: "S")
    table.add(["", "x"])
    #expect(table.text(isTerminal: false, width: 10) == "S\t1\\t2\t3\\n4\n\tx\n")
  }

  @Test("wide characters keep their columns, and what does not fit is cut with a sign")
  func widths() {
    #expect(DisplayWidth.of("漢字") == 4)
    #expect(DisplayWidth.of("Бег") == 3)
    #expect(DisplayWidth.cut("漢字漢字", to: 5) == "漢字…")
    #expect(DisplayWidth.cut("abc", to: 3) == "abc")
    #expect(DisplayWidth.cut("abcd", to: 3) == "ab…")
  }

  @Test("shares are shown with bars on a terminal")
  func simulated() {
    let answer = SimulateAnswer(
      game: "g", key: "k", players: 1000,
      shares: [
        SimulatedShare(value: false, source: "default", reason: "DEFAULT", players: 901),
        SimulatedShare(value: true, source: "default", reason: "SPLIT", players: 99),
      ])
    #expect(
      ConfigSimulate.table(answer, isTerminal: false).text(isTerminal: false, width: 80)
        == "false\t-\tdefault\tDEFAULT\t901\t90.10\ntrue\t-\tdefault\tSPLIT\t99\t9.90\n")
    #expect(ConfigSimulate.table(answer, isTerminal: true).rows[1].cells.last == "██")
  }
}
