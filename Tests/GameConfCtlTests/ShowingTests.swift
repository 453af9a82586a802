// The output, for people and for programs.

import GameConfAPI
import GameConfCore
import Synchronization
import Testing

@testable import gameconfctl

@Suite("Output")
struct ShowingTests {
  @Test(
    "characters that could control a terminal are escaped",
    arguments: [
      ("plain – ü 漢", "plain – ü 漢"), ("\u{1B}[31mred", "\\u{1B}[31mred"), ("a\nb\tc\rd", "a\\nb\\tc\\rd"), ("\u{9B}2J", "\\u{9B}2J"),
      ("abc\u{202E}txt", "abc\\u{202E}txt"), ("\u{7F}", "\\u{7F}"), ("\u{2066}x", "\\u{2066}x"), ("\0", "\\u{0}"),
      ("\u{E0041}", "\\u{E0041}"),
    ])
  func escaped(text: String, safe: String) {
    #expect(Sentence("<\(text)>").text() == "<\(safe)>")
    #expect(Sentence("<\(text)>").unescaped == "<\(text)>")
    #expect(Table([text]) { Column("a") { $0 } }.text(.pipe) == safe + "\n")
  }

  @Test("line breaks stay in a sentence's literal text and in an interpolated text of several lines, and in no other text")
  func lines() {
    #expect(Sentence("a\n\("b\nc")").text() == "a\nb\\nc")
    #expect(Sentence("a\n\(lines: "b\nc\u{1B}")").text() == "a\nb\nc\\u{1B}")
    let inner: Sentence = "x\n\("y\n")"
    #expect(Sentence("\(inner)!").text() == "x\ny\\n!")
    #expect([inner, "z"].joined(separator: ",").text() == "x\ny\\n,z")
  }

  @Test("a sentence writes a count with its noun", arguments: [(0, "0 keys, 0 lines"), (1, "1 key, 1 line"), (2, "2 keys, 2 lines")])
  func counts(count: Int64, words: String) {
    #expect(Sentence("\(count, "key"), \(count, "line", "lines")").text() == words)
  }

  @Test("a sentence writes a time in one form for a terminal and in another for a pipe")
  func timeInSentence() throws {
    let now = try Instant(parsing: "2026-11-22T12:00:00Z")
    let sentence: Sentence = "until \(time: Instant(milliseconds: now.milliseconds + 7_200_000)), by \(time: now, .clock)"
    #expect(sentence.text(.terminal(80, now: now)) == "until 2026-11-22 14:00 UTC (in 2 h), by 2026-11-22 12:00 UTC")
    #expect(sentence.text() == "until 2026-11-22T14:00:00Z, by 2026-11-22T12:00:00Z")
    #expect(sentence.unescaped == sentence.text())
  }

  @Test("escaped JSON has the original value", arguments: [["a\u{9B}b", "\u{202E}"], ["\u{1B}": "\u{E0041}"], "\u{7F}\n"] as [Value])
  func json(value: Value) throws {
    for pretty in [false, true] {
      let text = SafeText.json(value, pretty: pretty)
      #expect(try JSONReader.value(from: text) == value)
      #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || (0x20...0x7E).contains($0.value) })
    }
  }

  @Test("a value printed alone is exact in a pipe, and has no control characters on a terminal")
  func bare() {
    for (isTerminal, shown) in [(false, "a\u{1B}\nb"), (true, "a\\u{1B}\nb")] {
      let written = Mutex("")
      let screen = Screen(
        isTerminal: isTerminal, isAnswering: false, width: 80, write: { text in written.withLock { $0 += text } }, writeError: { _ in },
        answer: { _ in nil })
      screen.show(bare: ValueStyle.bare("a\u{1B}\nb", isTerminal: isTerminal))
      #expect(written.withLock { $0 } == shown)
    }
    #expect(ValueStyle.bare(18.0, isTerminal: false) == "18.0")
    #expect(ValueStyle.bare([1, 2.0], isTerminal: false) == "[1,2.0]")
  }

  @Test("a table on a terminal has aligned columns, headings of sections, and a star at each marked row")
  func aligned() {
    let text = ConfigList.table(Sample.config, onlyOverridden: false).text(.terminal(80))
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

  private static func layers() -> Table {
    let rows = [
      ["override.game", "3.5", "applied", "it stands, and nothing above it has a value", "too hard"],
      ["default", "2.5", "not applied", "a layer above has a value, which comes first", "-"],
    ]
    return Table(rows, markMeaning: "gave the value", isMarked: { $0[2] == "applied" }) {
      Column("layer") { $0[0] }
      Column("value", .value) { $0[1] }
      Column("outcome", .state) { $0[2] }
      Column("why", .sentence) { $0[3] }
      Column("reason", .aside) { $0[4] }
    }
  }

  @Test(
    "to fit the terminal, a table's text is wrapped first, and then columns move below their rows",
    arguments: [
      (
        84,
        """
          LAYER          VALUE  OUTCOME      WHY                                    REASON
        * override.game  3.5    applied      it stands, and nothing above it has a  too hard
                                             value
          default        2.5    not applied  a layer above has a value, which       -
                                             comes first

        * gave the value

        """
      ),
      (
        70,
        """
          LAYER          VALUE  OUTCOME      WHY
        * override.game  3.5    applied      it stands, and nothing above it
                                             has a value
              reason: too hard
          default        2.5    not applied  a layer above has a value, which
                                             comes first

        * gave the value

        """
      ),
      (
        40,
        """
          LAYER          VALUE  OUTCOME
        * override.game  3.5    applied
              why: it stands, and nothing above
              it has a value; reason: too hard
          default        2.5    not applied
              why: a layer above has a value,
              which comes first

        * gave the value

        """
      ),
    ])
  func narrowed(width: Int, text: String) { #expect(Self.layers().text(.terminal(width)) == text) }

  @Test("a table with any content fits the terminal's width and loses no words", arguments: [20, 40, 60, 80, 120, 200])
  func fitting(width: Int) {
    let names = [
      "p\u{202E}1\n", "👩‍👩‍👧 und 🇩🇪", "漢字のプレイヤー", String(repeating: "x", count: 256), "a/b_c." + String(repeating: "long_", count: 30),
    ]
    let table = Table(names, markMeaning: "marked", isMarked: { $0 == names[2] }) {
      Column("key") { $0 }
      Column("value", .value) { _ in "12345678901234" }
      Column("at", .when) { _ in "2026-11-22T10:00:00.123Z" }
      Column("player") { $0 }
      Column("author", .aside) { _ in "ada" }
      Column("description", .extra) { "about \($0)" }
    }
    let text = table.text(.terminal(width))
    for line in text.split(separator: "\n") { #expect(DisplayWidth.of(String(line)) <= width, "\(line)") }
    #expect(!text.unicodeScalars.contains("\u{202E}"))
    #expect(text.contains("\\u{202E}"))
    // White space is removed, because an id may be wrapped. A number may be wrapped too, but never cut.
    let joined = text.filter { !$0.isWhitespace }
    #expect(joined.contains("123456789") && !joined.contains("1234567890123…"))
    #expect(text.filter { $0 == "x" }.count >= 256)
  }

  @Test("in a table that is too wide, empty columns are left out, and extra columns are only named unless --long is given")
  func leftOut() {
    let table = Table(["arcade_time_limit_base"]) {
      Column("key") { $0 }
      Column("player") { _ in nil }
      Column("description", .extra) { _ in "Seconds on the arcade timer at level 1." }
    }
    #expect(table.text(.terminal(80)).contains("PLAYER"))
    let narrow = table.text(.terminal(40))
    #expect(narrow == "KEY\narcade_time_limit_base\n\n--long shows description too\n")
    #expect(
      table.text(.terminal(40, isLong: true))
        == "KEY\narcade_time_limit_base\n    description: Seconds on the arcade\n    timer at level 1.\n")
  }

  @Test("a table's times are relative on a terminal, and RFC 3339 in a pipe and with --long")
  func instants() throws {
    let table = Table(["2026-11-22T10:00:00.123Z"]) {
      Column("at", .when) { $0 }
      Column("until", .date) { _ in "2027-02-21T23:46:23.227Z" }
      Column("text") { $0 }
    }
    let now = try Instant(parsing: "2026-11-22T12:00:00Z")
    #expect(table.text(.terminal(100, now: now)).contains("\n2 h ago  2027-02-21 23:46 UTC  2026-11-22T10:00:00.123Z\n"))
    #expect(table.text(.terminal(100, isLong: true, now: now)).contains("2027-02-21T23:46:23.227Z"))
    #expect(table.text(.pipe) == "2026-11-22T10:00:00.123Z\t2027-02-21T23:46:23.227Z\t2026-11-22T10:00:00.123Z\n")
  }

  @Test(
    "a distance in time is shown in at most two units, and one of more than two weeks is not shown",
    arguments: [
      (0, "just now"), (-30, "just now"), (30, "in 30 s"), (-60, "1 min ago"), (7199, "in 2 h"), (6000, "in 1 h 40 min"),
      (-6000, "1 h 40 min ago"),
      (86_400, "in 24 h"), (-3 * 86_400, "3 d ago"), (14 * 86_400, "in 14 d"), (15 * 86_400, nil), (-400 * 86_400, nil),
    ] as [(Int64, String?)])
  func relative(seconds: Int64, words: String?) throws {
    let now = try Instant(parsing: "2026-11-22T12:00:00Z")
    #expect(InstantStyle.relative(Instant(milliseconds: now.milliseconds + seconds * 1000), now: now) == words)
    #expect(InstantStyle.relative(Instant(milliseconds: .max), now: Instant(milliseconds: .min)) == nil)
  }

  @Test(
    "a time on a terminal is relative if recent, else local with its zone; in a pipe and with --long it is RFC 3339",
    arguments: [
      (7_200, .cell, "in 2 h"), (7_200, .sentence, "2026-11-22 15:00 CET (in 2 h)"), (7_200, .clock, "2026-11-22 15:00 CET"),
      (-40 * 86_400, .cell, "2026-10-13 14:00 CEST"), (-40 * 86_400, .sentence, "2026-10-13 14:00 CEST"),
    ] as [(Int64, InstantContext, String)])
  func times(seconds: Int64, place: InstantContext, words: String) throws {
    let now = try Instant(parsing: "2026-11-22T12:00:00Z")
    let change = try Instant(parsing: "2026-10-25T01:00:00Z")
    let berlin = LocalZone(offsetSeconds: { $0 < change ? 7200 : 3600 }, name: { $0 < change ? "CEST" : "CET" })
    let instant = Instant(milliseconds: now.milliseconds + seconds * 1000 + 5)
    var style = OutputStyle(isTerminal: true, width: 80, now: now, zone: berlin)
    #expect(style.time(instant, in: place) == words)
    style.isLong = true
    #expect(style.time(instant, in: place) == instant.text)
    (style.isLong, style.isTerminal) = (false, false)
    #expect(style.time(instant, in: place) == instant.text)
    guard place == .clock else { return }
    var reading = TimeText(now: now)
    reading.zone = berlin
    #expect(try reading.instant(words, "set") == Instant(milliseconds: now.milliseconds + seconds * 1000), "and it can be typed")
  }

  @Test("colours are written only if they are enabled, and do not count for the width")
  func colours() {
    let plain = Self.layers().text(.terminal(90))
    let colored = Self.layers().text(.terminal(90, isColored: true))
    #expect(!plain.contains("\u{1B}"))
    #expect(colored.contains("\u{1B}[33m*\u{1B}[0m") && colored.contains("\u{1B}[32mapplied\u{1B}[0m"))
    #expect(colored.replacing(/\u{1B}\[\d+m/, with: "") == plain)
  }

  @Test("a message is wrapped between words, with continuation lines indented")
  func paragraphs() {
    #expect(DisplayWidth.paragraphs("one two three four\n  five six seven", to: 12) == "one two\n  three four\n  five six\n    seven")
  }

  @Test("a word that is longer than its column is broken, and no wide character is split")
  func wrapped() {
    #expect(DisplayWidth.wrapped("one two three", to: 7) == ["one two", "three"])
    #expect(DisplayWidth.wrapped("abcdefg h", to: 3) == ["abc", "def", "g h"])
    #expect(DisplayWidth.wrapped("漢字漢", to: 5) == ["漢字", "漢"])
    #expect(DisplayWidth.wrapped("", to: 5) == [""])
    #expect(
      DisplayWidth.wrapped("it ends 2026-12-01 18:00 CET, then 2026-12-02", to: 24)
        == ["it ends", "2026-12-01 18:00 CET,", "then 2026-12-02"])
    #expect(DisplayWidth.wrapped("(2026-12-01 18:00 +03) 12:00 x", to: 22) == ["(2026-12-01 18:00 +03)", "12:00 x"])
    #expect(DisplayWidth.wrapped("at 2026-12-01 18:00; over", to: 16) == ["at", "2026-12-01", "18:00; over"])
    #expect(DisplayWidth.wrapped("see override.player here", to: 10) == ["see", "override.", "player", "here"])
  }

  @Test("a table in a pipe has no column names, and tabs and line breaks in a cell cannot forge a row")
  func plain() {
    let table = Table([["1\t2", "3\n4", "S"], ["", "x"]], section: { $0.count > 2 ? $0[2] : nil }) {
      Column("a") { $0[0] }
      Column("b") { $0[1] }
    }
    #expect(table.text(.pipe) == "S\t1\\t2\t3\\n4\n\tx\n")
  }

  @Test("columns with wide characters stay aligned, and a text that is cut ends with …")
  func widths() {
    #expect(DisplayWidth.of("漢字") == 4)
    #expect(DisplayWidth.of("Бег") == 3)
    #expect(DisplayWidth.of("👩‍👩‍👧") == 2 && DisplayWidth.of("🇩🇪") == 2 && DisplayWidth.of("❤️") == 2 && DisplayWidth.of("e\u{301}") == 1)
    #expect(DisplayWidth.cut("漢字漢字", to: 5) == "漢字…")
    #expect(DisplayWidth.cut("abc", to: 3) == "abc")
    #expect(DisplayWidth.cut("abcd", to: 3) == "ab…")
  }

  @Test("config simulate shows the shares of values with bars on a terminal")
  func simulated() {
    let answer = SimulateAnswer(
      game: "g", key: "k", players: 1000,
      shares: [
        SimulatedShare(value: false, source: "default", reason: "DEFAULT", players: 901),
        SimulatedShare(value: true, source: "default", reason: "SPLIT", players: 99),
      ])
    #expect(
      ConfigSimulate.table(answer, isTerminal: false).text(.pipe)
        == "false\t-\tdefault\tDEFAULT\t901\t90.10\ntrue\t-\tdefault\tSPLIT\t99\t9.90\n")
    #expect(ConfigSimulate.table(answer, isTerminal: true).rows[1].cells.last == "██")
  }
}
