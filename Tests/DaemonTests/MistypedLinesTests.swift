// Mistyped command lines: each is refused with a correction, and changes nothing.

import Testing

@Suite("Mistyped command lines")
struct MistypedLinesTests {
  /// The mistyped command lines, each with its exit status and message. `␣` represents a space within a word.
  private static let lines: [(line: String, status: Int32, words: String)] = usage + refused + notFound + others

  private static let usage: [(line: String, status: Int32, words: String)] = [
    ("confg list dartsscore", 2, "Did you mean “config”?"), ("config lst dartsscore", 2, "Did you mean “list”?"),
    ("flags toggle dartsscore", 2, "There are list, on, off, reset."),
    ("config get dartsscore", 2, "the key is missing: gameconfctl config get"),
    ("config get dartsscore dart_size 3", 2, "“3” is one word too many"), ("config set dartsscore dart_size", 2, "Give the value once"),
    ("config set dartsscore dart_size 20 30", 2, "KEY=VALUE"),
    ("config set dartsscore dart_size 20 --playr p", 2, "Did you mean “--player”?"),
    ("config set dartsscore dart_size 20 --for", 2, "“--for” needs a value: --for <length>"),
    ("config set dartsscore dart_size 20 --for 2", 2, "write it as 2s, 2m or 2h"),
    ("config set dartsscore dart_size 20 --for 1M", 2, "may mean minutes or months; write 1m"),
    ("config set dartsscore dart_size 20 --for 1␣month", 2, "a month has no fixed length; write 30d"),
    ("config set dartsscore dart_size 20 --for 2h --until tomorrow", 2, "give one of them"),
    ("config set dartsscore dart_size 20 --until tomorow", 2, "Did you mean “tomorrow”?"),
    ("config set dartsscore dart_size 20 --until 25:00", 2, "“25:00” is not a time. Write it as"),
    ("config set dartsscore dart_size 20 --from tomorrow", 2, "--from needs --until or --for"),
    ("config set dartsscore dart_size 20 --replace", 2, "give --for or --until"),
    ("config list dartsscore --overridden=yes", 2, "takes no value"),
    ("audit list --limit many", 2, "--limit takes a whole number, not “many”"),
    ("audit list --since someday", 2, "“someday” is not a time"),
    ("iap clock kidsdoku2 P1D", 2, "Did you mean “advance P1D”?"), ("iap clock kidsdoku2 advanc P1D", 2, "Did you mean “advance”?"),
    ("iap clock kidsdoku2 advance P1D", 2, "Give --yes"), ("iap premium kidsdoku2 on", 2, "the player is missing before “on”"),
    ("player clock kidsdoku2 advance P1M", 2, "the player is missing before “advance”"),
    ("iap behaviour kidsdoku2 p fial purchase", 2, "Did you mean “fail”?"), ("iap behaviour kidsdoku2 p fail purchas", 2, "the words are"),
    ("iap play kidsdoku2 p yearly_sub_2 renw", 2, "Did you mean “renew”?"), ("config clear dartsscore", 2, "Give --yes"),
    ("store move --to postgre", 2, "Did you mean “postgres”?"), ("gate check kidsdoku2 p premium_puzzles 4", 2, "name=value"),
    ("events report wheresthedot p1 game_over", 2, "“gameconfctl ads event” does that."),
    ("leaderboard lst wheresthedot", 2, "Did you mean “list”?"),
    ("health --timeout soon", 2, "--timeout takes a number of seconds"),
  ]

  private static let refused: [(line: String, status: Int32, words: String)] = [
    ("config set dartsscore dart_size big", 1, "this parameter takes an integer from 20 pt to 40 pt. [TYPE_MISMATCH]"),
    ("config set dartsscore dart_size 999999", 1, "[OUT_OF_RANGE]"),
    ("config set dartsscore dart_size 20 --until 2020-01-01", 1, "[WINDOW_EMPTY]"),
    ("config set dartsscore dart_size --value-json [1", 1, "the value is not JSON at byte 2"),
    ("flags off wheresthedot arcade_time_limit_base", 1, "“gameconfctl config set wheresthedot arcade_time_limit_base VALUE” sets it"),
    ("player score wheresthedot p --lifetime many", 1, "a score is a whole number"),
    ("iap grant kidsdoku2 p Pro --for P0D", 1, "from 1 to 9999"), ("themes milestone wheresthedot neon 5", 1, "its unlock is free"),
    ("template push dartsscore /nowhere.json", 1, "/nowhere.json: No such file"),
    ("iap buy kidsdoku2 p yearly_sub_2 --currency EURO", 1, "like USD"),
  ]

  private static let notFound: [(line: String, status: Int32, words: String)] = [
    ("config get dartscore dart_size", 5, "There is no game “dartscore”. Did you mean “dartsscore”?"),
    ("config get dartsscore dart_sise", 5, "Did you mean “dart_size”? [UNKNOWN_KEY]"),
    ("config set dartsscore dart_sise 3", 5, "Did you mean “dart_size”? [UNKNOWN_KEY]"),
    ("flags off wheresthedot arcade_mode_enable", 5, "Did you mean “arcade_mode_enabled”? [UNKNOWN_KEY]"),
    ("iap buy kidsdoku2 p yearly_sub", 5, "Did you mean “yearly_sub_2”?"),
    ("themes milestone wheresthedot ocaen 5", 5, "Did you mean “ocean”?"),
    ("gate check kidsdoku2 p premium_puzzle number=1", 5, "Did you mean “premium_puzzles”?"),
    ("iap refund kidsdoku2 p yearly_sub_2", 5, "has no transaction of “yearly_sub_2”"), ("audit show 999999", 5, "no line 999999"),
  ]

  private static let others: [(line: String, status: Int32, words: String)] = [
    ("health --socket /nowhere.sock", 3, "no gameconfd answers; tried:"), ("iap buy dartsscore p premium", 4, "are not simulated"),
    ("iap clock kidsdoku2 set 2020-01-01 --yes", 6, "moves forward only"),
  ]

  @Test("fifty mistyped command lines are refused with a correction and their exit status, and change nothing")
  func fifty() throws {
    #expect(Self.lines.count >= 50)
    let daemon = try RunningDaemon()
    func state() throws -> [String] {
      [
        try daemon.ask("GET", "/v1/games").text, try daemon.control("audit", "list").output,
        try daemon.control("player", "list", "kidsdoku2").output,
      ]
    }
    let before = try state()
    for (line, status, words) in Self.lines {
      let outcome = try daemon.control(line.split(separator: " ").map { String($0.replacing("␣", with: " ")) })
      #expect(outcome.status == status, "\(line): \(outcome.errors)")
      #expect(outcome.errors.contains(words) && outcome.errors.hasPrefix("gameconfctl: "), "\(line): \(outcome.errors)")
      #expect(
        !outcome.errors.contains("Usage:") && !outcome.errors.contains("(at /") && outcome.output.isEmpty, "\(line): \(outcome.errors)")
    }
    #expect(try state() == before)
  }
}
