// gameconfctl catalog convert

import ArgumentParser
import GameConfCore
import GameConfFormats

struct CatalogConvert: ParsableCommand {
  enum ForeignFormat: String, ExpressibleByArgument, CaseIterable { case plist, xml, json, firebase, flagd, storekit }

  static let configuration = CommandConfiguration(
    commandName: "convert", abstract: "Convert another system's file to a catalog, or a catalog to another format.",
    discussion: """
      plist, xml and json are default values by key: a property list, Android's remote_config_defaults.xml, an object. firebase is a \
      Firebase Remote Config template, flagd a flag document, storekit an Xcode StoreKit configuration with products. The result goes to \
      standard output, and what was carried, changed and left out to standard error; --json prints both to standard output.
      """
  )

  @Option(help: "The format of the file; prints a catalog.") var from: ForeignFormat?
  @Option(help: "The format to print; the file is a catalog.") var to: ForeignFormat?
  @Option(help: ArgumentHelp("With --from: the id of the game.", valueName: "id"))
  var game: String?
  @Option(help: ArgumentHelp("With --from: the game's name.", valueName: "text"))
  var title: String?
  @Flag(help: "With --from plist, xml or json: read texts such as true and 5 as booleans and numbers.") var infer = false
  @Flag(help: "With --from: leave out what is not admitted, and say so, instead of refusing the file.") var skipInvalid = false
  @Flag(help: "Print the outcome and what became of each thing as JSON; what goes wrong too.") var json = false
  @Argument(help: "The file; with --from, - is standard input.", completion: .file()) var file: String

  func validate() throws {
    guard (from == nil) != (to == nil) else { throw ValidationError("Give either --from or --to.") }
    if from != nil, game == nil { throw ValidationError("--from needs --game: the id of the game that the catalog is for.") }
    if to != nil, game != nil || title != nil { throw ValidationError("--game and --title go with --from.") }
    if to != nil, infer || skipInvalid { throw ValidationError("--infer and --skip-invalid go with --from.") }
    if infer, from.map({ [.plist, .xml, .json].contains($0) }) != true {
      throw ValidationError("--infer goes with plist, xml and json, whose values have no declared type.")
    }
  }

  func run() throws {
    let screen = Console.screen
    let made: (text: String, report: ConversionReport)
    if let from {
      made = try catalog(of: try FileBytes.read(file), from)
    } else if let to {
      made = try Self.document(of: try CatalogValidation.catalog(inFile: file), to, path: file)
    } else {
      return
    }
    if json {
      var outcome = ObjectValue([("document", .string(made.text))])
      for member in made.report.value.members { outcome[member.name] = member.value }
      screen.write(SafeText.json(.object(outcome), pretty: true) + "\n")
    } else {
      for line in made.report.lines { screen.note("\(line)") }
      screen.write(made.text)
    }
  }

  /// Converts a document of another system to a catalog, and reports the outcome for each of the document's elements.
  private func catalog(of bytes: [UInt8], _ form: ForeignFormat) throws(CtlFailure) -> (text: String, report: ConversionReport) {
    let game = game ?? ""
    if form == .storekit {
      do throws(Faults) {
        let made = try StoreKitFile(
          reading: bytes, for: StoreKitFile.StoreKitGame(id: game, title: title ?? game), skippingInvalid: skipInvalid)
        return (made.yaml, made.report)
      } catch { throw .refused(error.faults.map { "\(file): \($0)" }) }
    }
    let defaults = try defaults(in: bytes, form)
    do throws(Faults) {
      let made: CatalogConversion
      if let defaults {
        made = try CatalogConversion(defaults: defaults, game: game, title: title, infers: infer, skippingInvalid: skipInvalid)
      } else if form == .firebase {
        made = try CatalogConversion(firebase: bytes, game: game, title: title, skippingInvalid: skipInvalid)
      } else {
        made = try CatalogConversion(flagd: bytes, game: game, title: title, skippingInvalid: skipInvalid)
      }
      return (made.yaml, made.report)
    } catch { throw .refused(error.messages.map { defaults == nil ? "\(file): \($0)" : "\($0)" }) }
  }

  /// Returns the values of a file with Firebase's default values; nil for a file of another format.
  private func defaults(in bytes: [UInt8], _ form: ForeignFormat) throws(CtlFailure) -> DefaultsDocument? {
    do throws(FormatFault) {
      switch form {
      case .plist: return try DefaultsDocument(plist: bytes)
      case .xml: return try DefaultsDocument(xml: bytes)
      case .json: return try DefaultsDocument(json: bytes)
      case .firebase, .flagd, .storekit: return nil
      }
    } catch { throw .refused(["\(error.diagnostic(of: file))"]) }
  }

  /// Converts a catalog to a document of another system, and reports the outcome for each of the catalog's elements.
  private static func document(
    of catalog: Catalog, _ form: ForeignFormat, path: String
  ) throws(CtlFailure) -> (text: String, report: ConversionReport) {
    let made: CatalogExport
    do throws(FormatFault) {
      switch form {
      case .plist: made = try CatalogExport(defaults: catalog) { (document) throws(FormatFault) in try document.plist() }
      case .xml: made = try CatalogExport(defaults: catalog) { (document) throws(FormatFault) in try document.xml() }
      case .json: made = CatalogExport(defaults: catalog) { $0.json() }
      case .firebase: made = CatalogExport(firebase: catalog)
      case .storekit: made = CatalogExport(storekit: catalog)
      case .flagd: made = CatalogExport(flagd: catalog)
      }
    } catch { throw .refused(["\(error.diagnostic(of: path))"]) }
    return (made.text, made.report)
  }
}

extension FormatFault {
  /// Returns the fault in the form `file:line:column: message`.
  func diagnostic(of path: String) -> String { line == 0 ? "\(path): \(self)" : "\(path):\(self)" }
}
