// Finds the command line that does the same as a call of the panel's page, so that the page can show it.

import GameConfAPI
import GameConfCore

/// A command line of gameconfctl, quoted for a shell.
struct PanelCommand: Equatable, Sendable {
  let text: String

  /// The command lines that do the same as calls. A word in braces is replaced by a variable of the path, or by a member of the query or
  /// the body. The first command line whose words all have a value is used, with those of its options that have a value.
  private static let commands: [(endpoint: Endpoint, command: String)] =
    [
      (Calls.putOverride.endpoint, "config set {game} {key} {value} \(overrideOptions)"),
      (Calls.putPlayerOverride.endpoint, "config set {game} {key} {value} --player {player} \(overrideOptions)"),
      (Calls.deleteOverride.endpoint, "config reset {game} {key} --window {window}"),
      (Calls.deletePlayerOverride.endpoint, "config reset {game} {key} --player {player} --window {window}"),
      (Calls.explain.endpoint, "config explain {game} {key} --player {player}"),
      (Calls.revert.endpoint, "audit revert {game} {id} --force {force}"),
      (Calls.revertMany.endpoint, "audit revert {game} --author {author} --session {session} --since {since}"),
      (Calls.patchPlayer.endpoint, "player score {game} {player} --lifetime {lifetime_score} --games {games_played} --best {best_scores}"),
      (Calls.forgetPlayer.endpoint, "player forget {game} {player} --yes"),
      (Calls.putPlayerClock.endpoint, "player clock {game} {player} advance {advance}"),
      (Calls.putPlayerClock.endpoint, "player clock {game} {player} set {now}"),
      (Calls.putSetting.endpoint, "player settings {game} {player} {key} {value}"),
      (Calls.deleteSetting.endpoint, "player settings {game} {player} {key} --reset"),
      (Calls.recordEvent.endpoint, "ads event {game} {player} {event} --mode {mode} --score {score}"),
      (Calls.reportAd.endpoint, "ads report {game} {player} {placement} {decision_id} {outcome}"),
      (Calls.resetAds.endpoint, "ads reset {game} {player} {placement}"),
      (Calls.forceAd.endpoint, "ads force {game} {player} {placement}"),
      (Calls.closePlay.endpoint, "play close {game} {player} {play}"),
      (Calls.endScenario.endpoint, "scenario end {scenario} --yes"),
      (Calls.rollbackTemplate.endpoint, "template rollback {game} {version}"),
      (Calls.purchase.endpoint, "iap buy {game} {player} {product}"),
      (Calls.switchPremium.endpoint, "iap premium {game} {player} {on}"),
    ] + TransactionAct.allCases.map { ($0.endpoint, "iap " + $0.command(on: "{game} {player} {transaction}")) }
  private static let overrideOptions =
    "--value-json {json} --reason {reason} --from {from} --until {until} --replace {replace} --window {window} --yes {replace}"

  /// Creates the command line for a call; nil if no command does the same, or if one of the words cannot be quoted.
  /// - Parameter secrets: The keys whose values are not shown.
  init?(_ endpoint: Endpoint, target: String, body: Value?, secrets: Set<String>) {
    let given = Self.members(endpoint, target, body)
    if let key = given["key"]?.stringValue, secrets.contains(key), given["value"] != nil { return nil }
    let commands =
      endpoint == Calls.putStoreBehaviour.endpoint
      ? [Self.behaviour(given)] : Self.commands.filter { $0.endpoint == endpoint }.map(\.command)
    guard let line = commands.lazy.compactMap({ Self.line($0, given) }).first else { return nil }
    text = line
  }

  /// Returns the values by which words in braces are replaced: path variables and members of the query and the body, by name.
  static func members(_ endpoint: Endpoint, _ target: String, _ body: Value?) -> ObjectValue {
    var given = body?.objectValue ?? ObjectValue()
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    for pair in parts.dropFirst().joined().split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1).compactMap { PercentEncoding.decode($0.utf8) }
      guard sides.count == 2 else { continue }
      given[sides[0]] = ["true", "false"].contains(sides[1]) ? .bool(sides[1] == "true") : .string(sides[1])
    }
    for (name, segment) in zip(endpoint.path.split(separator: "/"), (parts.first ?? "").split(separator: "/")) where name.hasPrefix("{") {
      given[String(name.dropFirst().dropLast())] = PercentEncoding.decode(segment.utf8).map(Value.string)
    }
    // A word of a shell does not show whether it is JSON, so lists and objects go into the option `--value-json`.
    if let value = given["value"], [.list, .object, .null].contains(value.kind) {
      given["json"] = .string(JSONWriter.text(value))
      given["value"] = .string("")
    }
    given["error"] = given["fail"]?["purchase"]?["error"]
    if let on = given["on"]?.boolValue { given["on"] = .string(on ? "on" : "off") }
    return given
  }

  /// Returns the command line that sets how the simulated store behaves at the next purchase.
  private static func behaviour(_ given: ObjectValue) -> String {
    let of = "iap behaviour {game} {player}"
    if given["error"] != nil { return "\(of) fail purchase --error {error}" }
    if given["ask_to_buy"] == true { return "\(of) ask-to-buy on" }
    return given["interrupted"] == true ? "\(of) interrupt on" : "\(of) clear"
  }

  private static func line(_ command: String, _ given: ObjectValue) -> String? {
    var words: [String] = []
    var options: [String] = []
    var option: String?
    var name: [String] = []
    for part in command.split(separator: " ").map(String.init) + ["--"] {
      if part.hasPrefix("--") {
        if let option { options.append(option) }
        option = part
      } else if part.hasPrefix("{") {
        let value = given[String(part.dropFirst().dropLast())]
        if let flag = option {
          if let written = value.flatMap({ self.option(flag, $0) }) { options.append(written) }
          option = nil
        } else {
          guard let value, let word = text(value) else { return nil }
          // If the value is in the option `--value-json`, it is left out as a word.
          if !(word.isEmpty && given["json"] != nil) { words.append(word) }
        }
      } else if let flag = option {
        options.append("\(flag) \(part)")
        option = nil
      } else if words.isEmpty {
        name.append(part)
      } else {
        words.append(part)
      }
    }
    guard (words + options).allSatisfy({ !$0.unicodeScalars.contains(where: isUnseen) }) else { return nil }
    let head = "gameconfctl " + name.joined(separator: " ")
    // Words that look like options follow `--`.
    let isLate = words.contains { $0.hasPrefix("-") }
    return ([head] + (isLate ? options + ["--"] + words.map(quoted) : words.map(quoted) + options)).joined(separator: " ")
  }

  /// Returns an option with its value; nil if the value is false or empty.
  private static func option(_ name: String, _ value: Value) -> String? {
    if let isOn = value.boolValue { return isOn ? name : nil }
    guard let word = text(value), !word.isEmpty else { return nil }
    return name + (word.hasPrefix("-") ? "=" : " ") + quoted(word)
  }

  /// Returns a value as a word, and the first member of an object as `name=value`; nil if the value has no such form.
  private static func text(_ value: Value) -> String? {
    switch value {
    case .string(let text): text
    case .object(let object): object.members.first.map { "\($0.name)=\(JSONWriter.text($0.value))" }
    case .null, .list: nil
    case .bool, .integer, .double: JSONWriter.text(value)
    }
  }

  /// True if the character is a control character, is invisible, or changes the direction of text.
  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
  }

  private static func quoted(_ word: String) -> String {
    let isPlain = !word.isEmpty && word.utf8.allSatisfy { plainBytes.contains($0) }
    return isPlain ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  private static let plainBytes = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-".utf8)
}
