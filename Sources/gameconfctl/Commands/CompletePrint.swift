// gameconfctl complete: the candidates that the shells' completions request at every Tab.

import ArgumentParser
import GameConfCore

struct CompletePrint: AsyncParsableCommand, VerbatimCommand {
  static let configuration = CommandConfiguration(
    commandName: "complete", abstract: "Print the words that complete a command line, one a line.",
    discussion: """
      complete INDEX -- WORD... prints the words for the place INDEX, each followed by a tab and its description. A line of a tab and \
      “file” alone means file names. It prints nothing if the daemon does not answer quickly.
      """, shouldDisplay: false)

  @Argument(parsing: .captureForPassthrough) var words: [String] = []

  func run() async throws {
    guard words.count >= 2, let index = Int(words[0]), words[1] == "--", index >= 1 else { return }
    let typed = Array(words.dropFirst(2))
    let before = Array(typed.prefix(index - 1))
    let beginning = typed.indices.contains(index - 1) ? typed[index - 1] : ""
    let line = ParsedCommandLine(before, CommandShape(of: ConfigGet.self))
    var options = ConnectionOptions()
    (options.socket, options.json, options.long) = (line.values["--socket"], false, false)
    options.timeout = Double(Completer.patienceMilliseconds) / 1000
    let completer = Completer(console: options.console(), defaults: .present)
    let screen = Console.screen
    let answer = await completer.complete(before, beginning)
    CompletionDeadline.lift()
    switch answer {
    case .files: screen.write("\tfile\n")
    case .offers(let offers):
      screen.write(offers.map { $0.word + "\t" + Sentence(outside: $0.about).text() + "\n" }.joined())
    }
  }
}
