// The shipped adventure: the catalog has its content, and a play keeps the chapters with which it began.

import GameConfCore
import Testing

@Suite("The adventure's chapters", .serialized)
struct AdventureTests {
  private static let textsCount = 107

  private func shipped() throws -> String {
    String(decoding: try #require(TemporaryFolder.read(Built.tree + "/Defaults/adventure.yaml")), as: UTF8.self)
  }

  /// The catalog after an author's edits: another chapter title, another right answer, and no fourth chapter.
  private func rewritten() throws -> String {
    var text = try shipped()
    func range(_ part: String) throws -> Range<String.Index> { try #require(text.firstRange(of: part)) }
    text.replaceSubrange(try range(#"{en: "Ice Cave", fr: "La grotte de glace"}"#), with: #"{en: "Fire Cave", fr: "La grotte de feu"}"#)
    let lever = try #require(text[try range("The cracked lever.").upperBound...].firstRange(of: "right: 1"))
    text.replaceSubrange(lever, with: "right: 2")
    text.removeSubrange(try range("      - index: 4").lowerBound..<(try range("  # Rules").lowerBound))
    return text
  }

  private func chapters(_ player: TestPlayer, _ query: String) throws -> Value {
    let answer = try player.daemon.read(at: "/v1/games/adventure/config?player=\(player.player)&keys=chapters\(query)")
    return try #require(answer["values"]?["chapters"])
  }

  /// Returns the value with each localized text replaced by the text of one locale.
  /// - Parameter count: Increased by one for each text.
  private func spoken(_ value: Value, in locale: String, count: inout Int) -> Value {
    switch value {
    case .list(let parts): return .list(parts.map { spoken($0, in: locale, count: &count) })
    case .object(let object):
      if object.names == ["en", "fr"], let text = object[locale] {
        count += 1
        return text
      }
      return .object(ObjectValue(object.members.map { ($0.name, spoken($0.value, in: locale, count: &count)) }))
    default: return value
    }
  }

  private func pass(_ player: TestPlayer, _ chapter: Int64, _ level: Int64) throws {
    let answer = try player.event(
      "level_passed", mode: nil, score: nil, reason: nil,
      more: [("details", ["chapter": .integer(chapter), "level": .integer(level)])])
    #expect(answer.status == 200, "\(answer.text)")
  }

  private func progress(_ player: TestPlayer) throws -> [Value?] {
    let bests = try player.daemon.read(at: player.path + "/bests?event=level_passed")["bests"]?.listValue ?? []
    return bests.map { $0["detail"] }
  }

  private func open(_ player: TestPlayer) throws -> String {
    let answer = try player.daemon.ask("POST", player.path + "/plays")
    #expect(answer.status == 201, "\(answer.text)")
    return try #require(answer.json["play"]?.stringValue)
  }

  @Test("every text of the adventure is French for a French player, and everything else is as in the catalog")
  func french() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon, game: "adventure")
    let raw = try chapters(player, "&locale=*")
    for (spelling, locale) in [("fr", "fr"), ("fr-CA", "fr"), ("fr_FR.UTF-8", "fr"), ("en", "en"), ("ru", "en")] {
      var count = 0
      let wanted = spoken(raw, in: locale, count: &count)
      #expect(count == Self.textsCount)
      #expect(try chapters(player, "&locale=\(spelling)") == wanted, "\(spelling)")
    }
    var count = 0
    let french = spoken(raw, in: "fr", count: &count)
    #expect(french.listValue?.last?["levels"]?.listValue?.last?["steps"]?.listValue?.last?["results"]?.listValue?.count == 4)
    let level = french.listValue?[1]["levels"]?.listValue?.first
    #expect(level?["answers"] == ["4402", ["random_digits": 4], ["random_digits": 4]] && level?["right"] == 0)
    // A call without a locale uses the player's registered one.
    #expect(try daemon.ask("PUT", player.path + "/context", body: ["context": ["locale": "fr_FR"]]).status == 200)
    #expect(try chapters(player, "") == french)
  }

  @Test(
    "a play keeps the adventure's chapters over a new catalog and a kill, and progress stays until the player starts again")
  func chaptersSurvive() throws {
    let daemon = try RunningDaemon(catalogs: ["adventure.yaml": try shipped()])
    let (reader, other) = (TestPlayer(daemon: daemon, game: "adventure"), TestPlayer(daemon: daemon, game: "adventure", player: "p2"))
    let play = try open(reader)
    let languages = ["*", "fr", "en"]
    func seen(_ player: TestPlayer, _ play: String? = nil) throws -> [Value] {
      try languages.map { try chapters(player, "&locale=\($0)" + (play.map { "&play=\($0)" } ?? "")) }
    }
    let old = try seen(reader, play)
    #expect(old == (try seen(other)))
    #expect(old[0].listValue?.count == 4)
    for (chapter, level) in [(1, 0), (1, 1), (2, 0)] as [(Int64, Int64)] { try pass(reader, chapter, level) }

    try daemon.folder.write(try rewritten(), to: "games/adventure.yaml")
    #expect(try daemon.ask("POST", "/v1/reload", admin: true).status == 200)
    let new = try seen(other)
    #expect(new[0].listValue?.count == 3 && new[1].listValue?.first?["title"] == "La grotte de feu")
    #expect(new[1].listValue?.first?["levels"]?.listValue?.last?["right"] == 2)
    for restart in [false, true] {
      if restart { try daemon.restart(killing: true) }
      #expect(try seen(reader, play) == old)
      #expect(try seen(other) == new)
      #expect(try seen(reader) == new, "without the play the same player sees the new ones too")
      let shown = try daemon.read(at: reader.path + "/plays/\(play)")
      #expect(shown["differs"] == ["chapters"] && shown["open"] == true)
      #expect(try progress(reader) == ["1.0", "1.1", "2.0"])
      #expect(try progress(other) == [])
    }

    // “Restart” in the app: removes the progress, closes the play, and opens another.
    #expect(try daemon.ask("DELETE", reader.path + "/bests?event=level_passed").status == 204)
    #expect(try daemon.ask("POST", reader.path + "/plays/\(play)/close").status == 200)
    let again = try open(reader)
    for restart in [false, true] {
      if restart { try daemon.restart(killing: true) }
      #expect(try progress(reader) == [])
      #expect(try seen(reader, again) == new)
      #expect(try seen(reader, play) == old, "a closed play goes on answering")
    }
    try pass(reader, 1, 0)
    #expect(try progress(reader) == ["1.0"])
  }
}
