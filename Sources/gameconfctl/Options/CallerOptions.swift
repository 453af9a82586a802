// The options that name the player and the attributes for which values are evaluated.

import ArgumentParser
import GameConfAPI
import GameConfCore

struct CallerOptions: ParsableArguments {
  @Option(help: ArgumentHelp("For this player.", valueName: "id"), completion: .players)
  var player: String?

  @Option(help: ArgumentHelp("In this language, as a BCP 47 tag.", valueName: "tag"))
  var locale: String?

  @Option(help: ArgumentHelp("The values pinned by this play.", valueName: "id"))
  var play: String?

  @Option(help: ArgumentHelp("With these attributes, as a JSON object or @FILE.", valueName: "json"))
  var context: String?

  /// The options as the query of a call that takes no attributes.
  var query: [(String, String)] {
    [("player", player), ("locale", locale), ("play", play)].compactMap { name, text in text.map { (name, $0) } }
  }

  /// Returns the options as the body of the call that takes attributes; nil if no attributes were typed.
  func request(keys: [String]? = nil) throws(CtlFailure) -> EvaluateRequest? {
    guard let context else { return nil }
    guard case .object(var attributes) = try ValueText.json(context) else {
      throw .usage("--context must be a JSON object such as '{\"platform\": \"ios\"}'")
    }
    if let locale {
      guard attributes["locale"] == nil || attributes["locale"] == .string(locale) else {
        throw .usage("--locale and the locale of --context differ")
      }
      attributes["locale"] = .string(locale)
    }
    return EvaluateRequest(player: player, context: attributes, play: play, keys: keys)
  }

  static var nobody: CallerOptions {
    var options = CallerOptions()
    options.player = nil
    options.locale = nil
    options.play = nil
    options.context = nil
    return options
  }
}
