// gameconfctl catalog codegen

import ArgumentParser
import GameConfAPI
import GameConfCore

struct CatalogCodegen: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "codegen", abstract: "Write a game's keys as typed accessors in a programming language.",
    discussion: """
      Each key gets an accessor, with its description, unit and range as documentation and its default as the fallback. Ids of themes, \
      products and the like become constants, and the defaults an image that the game embeds. The game is one that the daemon serves, or a \
      catalog's file, for which no daemon is needed. The same catalog gives the same bytes. Secret keys are left out.

      A name that the language reserves gets an underscore. Of two equal names the second gets _2.
      """)

  @Argument(help: "The language.") var language: CodeLanguage
  @Argument(help: "The game, or a catalog's file (with a / or the ending .yaml).", completion: .games) var game: String
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Where to write it; - is standard output. Only a file written so before is replaced.", valueName: "file"),
    completion: .file())
  var output: String?
  @Option(
    help: ArgumentHelp("Write nothing, and fail if this file is out of date; may be repeated.", valueName: "file"),
    completion: .file())
  var check: [String] = []
  @Option(help: ArgumentHelp("The prefix of names, in c and swift.", valueName: "name")) var prefix: String?
  @Option(help: ArgumentHelp("The namespace of names, in csharp and swift.", valueName: "name")) var namespace: String?
  @Flag(help: "Leave out the image of the defaults.") var noImage = false
  @Flag(help: "Replace a file that was not written by this command.") var force = false
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if let prefix {
      guard language.takesPrefix else { throw ValidationError("--prefix is for c and swift; leave it out for \(language.rawValue).") }
      guard CodeNames.isIdentifier(prefix), prefix.contains(where: \.isLetter) else {
        throw ValidationError("--prefix takes ASCII letters, digits and underscores, and does not begin with a digit.")
      }
    }
    if let namespace {
      guard language.takesNamespace else {
        throw ValidationError("--namespace is for csharp and swift; leave it out for \(language.rawValue).")
      }
      let parts = namespace.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.allSatisfy({ CodeNames.isIdentifier(String($0)) }), parts.count == 1 || language == .csharp else {
        throw ValidationError("--namespace takes ASCII letters, digits and underscores, and does not begin with a digit.")
      }
    }
    if !check.isEmpty, output != nil || force { throw ValidationError("--check writes nothing; leave out --output and --force.") }
  }

  func run(on console: Console) async throws {
    let model = try await model(console)
    let code = language.generator(of: model.game, prefix: prefix, namespace: namespace).code(of: model)
    if model.secretCount > 0 {
      console.screen.note(
        "\(model.secretCount, "secret key is", "secret keys are") left out; a program reads them from the daemon by a call")
    }
    if !check.isEmpty { return try GeneratedCodeFile.check(check, against: code) }
    guard let output, output != "-" else { return console.screen.write(code) }
    try GeneratedCodeFile.write(code, to: output, overwrites: force)
  }

  private func model(_ console: Console) async throws(CtlFailure) -> CodeModel {
    let catalog: Catalog
    let document: Value
    if game.contains("/") || game.utf8.suffix(5).elementsEqual(".yaml".utf8) {
      catalog = try CatalogValidation.catalog(inFile: game)
      document = CatalogDescription.value(of: catalog)
    } else {
      let answer = try await console.daemon.ask(Calls.catalog, ["game": game]).answer
      catalog = try DescribedCatalogReader.catalog(answer.document)
      document = .object(answer.document)
    }
    let content = CatalogImage.content(of: catalog, locale: nil, at: Instant(milliseconds: 0))
    guard let image = noImage ? [] : ImageWriter.bytes(content) else {
      throw .refused(["\(game) is too large for an image, which has at most \(ImageWriter.bytesMax) bytes; --no-image leaves it out"])
    }
    return CodeModel(document: document, content: content, image: image)
  }
}
