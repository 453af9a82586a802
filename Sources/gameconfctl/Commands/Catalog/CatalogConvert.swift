// gameconfctl catalog convert

import ArgumentParser
import GameConfCore
import GameConfFormats

struct CatalogConvert: ParsableCommand {
  enum Form: String, ExpressibleByArgument, CaseIterable { case plist, json, firebase, flagd, storekit }

  static let configuration = CommandConfiguration(
    commandName: "convert", abstract: "Convert another system's file to a catalog, or a catalog to another format.",
    discussion: """
      plist and json are default values by key; firebase is a Firebase Remote Config template, flagd a flag document, storekit an
      Xcode StoreKit configuration with products. The result goes to standard output, a list of omissions to standard error.
      """
  )

  @Option(help: "The format of the file; prints a catalog.") var from: Form?
  @Option(help: "The format to print; the file is a catalog.") var to: Form?
  @Option(help: ArgumentHelp("With --from: the id of the game.", valueName: "id"))
  var game: String?
  @Option(help: ArgumentHelp("With --from: the game's name.", valueName: "text"))
  var title: String?
  @Argument(help: "The file; with --from, - is standard input.", completion: .file()) var file: String

  func validate() throws {
    guard (from == nil) != (to == nil) else { throw ValidationError("Give either --from or --to.") }
    if from != nil, game == nil { throw ValidationError("--from needs --game: the id of the game that the catalog is for.") }
    if to != nil, game != nil || title != nil { throw ValidationError("--game and --title go with --from.") }
  }

  func run() throws {
    let screen = Desk.screen
    if let from {
      let made = try Self.catalog(of: try FileBytes.read(file), from, path: file, game: game ?? "", title: title)
      for note in made.notes { screen.note(SafeText.escaped(note)) }
      screen.write(made.text)
    } else if let to {
      let made = try Self.document(of: try CatalogValidation.catalog(inFile: file), to, path: file)
      for note in made.notes { screen.note(SafeText.escaped(note)) }
      screen.write(made.text)
    }
  }

  /// A catalog of a document, and what a person should look at.
  static func catalog(
    of bytes: [UInt8], _ form: Form, path: String, game: String, title: String?
  ) throws(CtlFailure) -> (text: String, notes: [String]) {
    switch form {
    case .plist, .json: return try defaults(in: bytes, form, path: path, game: game, title: title)
    case .firebase, .flagd:
      do throws(ConvertedCatalog.Faults) {
        let isFirebase = form == .firebase
        let made =
          try isFirebase
          ? ConvertedCatalog(firebase: bytes, game: game, title: title) : ConvertedCatalog(flagd: bytes, game: game, title: title)
        return (made.yaml, made.notes)
      } catch { throw .refused(error.messages.map { "\(path): \($0)" }) }
    case .storekit:
      do throws(StoreKitFaults) {
        let made = try StoreKitFile(reading: bytes, for: StoreKitFile.Game(id: game, title: title ?? game))
        return (made.yaml, made.notes)
      } catch { throw .refused(error.faults.map { "\(path): \($0)" }) }
    }
  }

  /// A document of a catalog, and what was left out of it.
  static func document(of catalog: Catalog, _ form: Form, path: String) throws(CtlFailure) -> (text: String, notes: [String]) {
    switch form {
    case .plist, .json:
      let notes = DefaultsDocument.leftOut(of: catalog).map { "\($0) is left out: it has no default to write" }
      return (try defaults(of: catalog, form, path: path), notes)
    case .firebase:
      let made = CatalogExport(firebase: catalog)
      return (made.text, made.notes)
    case .storekit:
      let made = CatalogExport(storekit: catalog)
      return (made.text, made.notes)
    case .flagd:
      let made = CatalogExport(flagd: catalog)
      return (made.text, made.notes)
    }
  }

  private static func defaults(
    in bytes: [UInt8], _ form: Form, path: String, game: String, title: String?
  ) throws(CtlFailure) -> (text: String, notes: [String]) {
    let document: DefaultsDocument
    do throws(FormatFault) {
      document = form == .plist ? try DefaultsDocument(plist: bytes) : try DefaultsDocument(json: bytes)
    } catch {
      throw .refused([error.told(of: path)])
    }
    do throws(DefaultsDocument.Faults) {
      return (try document.catalogText(game: game, title: title), document.aliasNotes)
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
