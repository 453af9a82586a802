// gameconfctl live

import ArgumentParser
import GameConfAPI
import GameConfCore
import GameConfTransport

struct LiveShow: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "live", abstract: "Print what games request and what they get, as it happens, until interrupted.",
    discussion:
      "It shows reads, watchers, events, refusals, ads and purchases from now on; nothing is stored. For what was changed use “gameconfctl audit follow”, for events from the past “gameconfctl events follow”."
  )

  @Argument(help: "The game.", completion: .games) var game: String
  @Option(help: ArgumentHelp("Only what is about this player.", valueName: "id"), completion: .players) var player: String?
  @Option(help: ArgumentHelp("End after this number of lines.", valueName: "number")) var count: Int?
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count must be at least 1") }
  }

  func run(on console: Console) async throws {
    console.screen.endWithReader()
    let (body, path) = try await console.daemon.stream(
      Calls.liveStream, ["game": game], query: player.map { [("player", $0)] } ?? [])
    var lines = JSONLineParser()
    var left = count ?? .max
    while left > 0 {
      guard let line = lines.next() else {
        do throws(TransportError) {
          guard let piece = try await body.next() else { return }
          lines.feed(piece)
        } catch { throw CtlFailure.transport(error, path: path) }
        continue
      }
      left -= write(line, console)
    }
  }

  /// Prints a line of the daemon's stream.
  /// - Returns: The number of lines that count towards `--count`: 0 for the first line, which only describes the stream.
  private func write(_ line: [UInt8], _ console: Console) -> Int {
    guard let value = try? JSONReader.value(from: line), let read = try? LiveLine(wire: value) else { return 0 }
    if console.isJSON {
      console.screen.write(SafeText.json(value, pretty: false) + "\n")
    } else if read.kind == LiveLineKind.start.rawValue {
      console.screen.note(LiveWords.start(read))
    } else {
      console.screen.line(LiveWords.line(read))
    }
    return read.kind == LiveLineKind.start.rawValue ? 0 : 1
  }
}

/// Words for a person about the lines of `gameconfctl live`.
enum LiveWords {
  /// Returns words for the first line, which names the game, the player and the host whose requests follow.
  static func start(_ line: LiveLine) -> Sentence {
    var text: Sentence = "requests of \(line.game)"
    if let player = line.player { text += " about \(player)" }
    if let host = line.host { text += " on \(host)" }
    text += ", \(line.count ?? 0, "watcher")"
    if line.isUnknownPlayer { text += "; no such player is stored yet" }
    if let detail = line.detail { text += "; \(detail)" }
    return text
  }

  /// Returns the time, the sender, the player and the event of a line, separated by tabs.
  static func line(_ line: LiveLine) -> Sentence {
    let who: Sentence = line.reader.map { "\($0)" } ?? "-"
    return ["\(time: line.at, .cell)", who, line.player.map { "\($0)" } ?? "-", words(line)].joined(separator: "\t")
  }

  private static func words(_ line: LiveLine) -> Sentence {
    switch LiveLineKind(rawValue: line.kind) {
    case .read?: return read(line)
    case .watch?:
      let at: Sentence = line.revision.map { " at revision \($0)" } ?? ""
      switch line.what {
      case "open": return "watches since \(time: line.since ?? line.at)" + at
      case "sent": return "watcher is sent the values" + at
      case "ended": return "watcher ends" + at
      default: return "begins to watch"
      }
    case .image?:
      let at: Sentence = line.revision.map { " at revision \($0)" } ?? ""
      return line.door == "map" ? "image is written" + at + " for games that map it" : "reads an image" + at
    case .event?: return "event \(line.event ?? "")" + (line.score.map { ", score \($0)" } ?? "")
    case .ad?:
      let placement = line.placement ?? ""
      if let outcome = line.outcome { return "ad at \(placement): \(outcome)" }
      return line.shows == true
        ? "ad at \(placement) is to be shown" : "ad at \(placement) is not shown: \(line.reason ?? "no rule lets it")"
    case .purchase?: return "purchase of \(line.product ?? "something"): \(line.outcome ?? "")"
    case .refusal?:
      let what = line.key ?? line.what ?? ""
      return "refused \(what): \(line.code ?? "")" + (line.detail.map { " \($0)" } ?? "")
    case .leftOut?: return "\(line.count ?? 0, "line") left out: they came faster than they were taken"
    case .start?, nil: return start(line)
    }
  }

  private static func read(_ line: LiveLine) -> Sentence {
    let door: Sentence = "by \(line.door ?? "")"
    if line.detail == "unchanged" { return "reads \(line.key ?? "all values") " + door + ": unchanged" }
    guard let key = line.key else {
      if line.keys.isEmpty { return "reads all \(line.count ?? 0, "value") " + door + (line.revision.map { " at revision \($0)" } ?? "") }
      return "reads \(line.keys.joined(separator: ", ")) " + door
        + (line.values.isEmpty ? "" : ": \(ValueStyle.cell(.object(line.values)))")
    }
    let value: Sentence =
      line.isMasked ? "(secret)" : line.valueBytes.map { "\($0) bytes" } ?? line.value.map { "\($0)" } ?? "-"
    let why: Sentence = [line.source, line.revision.map { "revision \($0)" }].compactMap { $0.map { "\($0)" } }.joined(separator: ", ")
    return "reads \(key) " + door + ": " + value + (why.isEmpty ? "" : " (" + why + ")")
  }
}
