// gameconfctl catalog convert

import ArgumentParser
import GameConfCore
import GameConfFormats

struct CatalogConvert: ParsableCommand {
  enum Form: String, ExpressibleByArgument, CaseIterable { case plist, json }

  static let configuration = CommandConfiguration(
    commandName: "convert", abstract: "Make a catalog of the defaults in a property list or JSON, or the other way round.",
    discussion: "The outcome goes to standard output. --from reads defaults and prints a catalog, --to reads a catalog and prints defaults."
  )

  @Option(help: "What the file is; a catalog is printed.") var from: Form?
  @Option(help: "What to print; the file is a catalog.") var to: Form?
  @Option(help: ArgumentHelp("With --from: the id of the game.", valueName: "id"))
  var game: String?
  @Option(help: ArgumentHelp("With --from: the game's name.", valueName: "text"))
  var title: String?
  @Argument(help: "The file; with --from, - is standard input.", completion: .file()) var file: String

  func validate() throws {
    guard (from == nil) != (to == nil) else { throw ValidationError("Say either --from or --to.") }
    if from != nil, game == nil { throw ValidationError("--from needs --game: the id of the game that the catalog is for.") }
    if to != nil, game != nil || title != nil { throw ValidationError("--game and --title go with --from.") }
  }

  func run() throws {
    let screen = Desk.screen
    if let from {
      screen.write(try Self.catalog(of: try FileBytes.read(file), from, path: file, game: game ?? "", title: title))
    } else if let to {
      let catalog = try CatalogValidation.catalog(inFile: file)
      for key in DefaultsDocument.leftOut(of: catalog) { screen.note("\(SafeText.escaped(key)) is left out: it has no default to write") }
      screen.write(try Self.defaults(of: catalog, to, path: file))
    }
  }

  static func catalog(of bytes: [UInt8], _ form: Form, path: String, game: String, title: String?) throws(CtlFailure) -> String {
    let document: DefaultsDocument
    do throws(FormatFault) {
      document = form == .plist ? try DefaultsDocument(plist: bytes) : try DefaultsDocument(json: bytes)
    } catch {
      throw .refused([error.told(of: path)])
    }
    do throws(DefaultsDocument.Faults) {
      return try document.catalogText(game: game, title: title)
    } catch {
      throw .refused(error.messages)
    }
  }

  static func defaults(of catalog: Catalog, _ form: Form, path: String) throws(CtlFailure) -> String {
    let document = DefaultsDocument(of: catalog)
    if form == .json { return document.json() }
    do throws(FormatFault) {
      return try document.plist()
    } catch {
      throw .refused([error.told(of: path)])
    }
  }
}

extension FormatFault {
  /// `file:line:column: message`.
  func told(of path: String) -> String { line == 0 ? "\(path): \(self)" : "\(path):\(self)" }
}
