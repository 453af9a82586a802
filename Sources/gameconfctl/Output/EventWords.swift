// Renders the lines of a game's event stream for people and for pipes.

import GameConfCore

enum EventWords {
  /// Returns a line of the stream as JSON that cannot control a terminal.
  static func json(_ line: [UInt8]) -> String {
    // Printable ASCII is safe without parsing. An export may have a million such lines.
    if line.allSatisfy({ (0x20...0x7E).contains($0) }) { return String(decoding: line, as: UTF8.self) }
    guard let value = try? JSONReader.value(from: line) else { return Sentence(outside: String(decoding: line, as: UTF8.self)).text() }
    return SafeText.json(value, pretty: false)
  }

  /// Returns the parts of an event, separated by tabs: time, player, event, mode, score, and the rest as JSON.
  static func line(_ line: [UInt8]) -> Sentence {
    guard let event = (try? JSONReader.value(from: line))?.objectValue else {
      return Sentence(outside: String(decoding: line, as: UTF8.self))
    }
    let named = ["cursor", "at", "player_time", "player", "event", "mode", "score"]
    let rest = ObjectValue(event.members.filter { !named.contains($0.name) }.map { ($0.name, $0.value) })
    let cells = ["at", "player", "event", "mode", "score"].map { name -> Sentence in
      guard let value = event[name] else { return "-" }
      return "\(value.stringValue ?? JSONWriter.text(value))"
    }
    return (cells + (rest.isEmpty ? [] : ["\(ValueStyle.cell(.object(rest)))"])).joined(separator: "\t")
  }

  static func cursor(_ line: [UInt8]) -> String? { (try? JSONReader.value(from: line))?.objectValue?["cursor"]?.stringValue }
}
