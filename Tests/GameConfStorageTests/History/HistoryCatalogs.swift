// The catalogs and template documents of histories, without files.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Synchronization

/// The catalog files that all hosts of a history read, and the catalogs that one host has accepted.
final class HistoryCatalogs: CatalogSource, AcceptedCatalogs {
  let file: HistoryFile
  private let accepted = Mutex<[AcceptedCatalog]>([])

  init(_ file: HistoryFile) { self.file = file }

  func read() async -> CatalogLoads {
    let number = file.number
    return CatalogLoads(games: [reading(of: [AcceptedFile(name: "g.yaml", bytes: [UInt8(number)])])])
  }

  func read(_ accepted: AcceptedCatalog) async -> CatalogLoad { reading(of: accepted.files) }

  private func reading(of files: [AcceptedFile]) -> CatalogLoad {
    let number = Int(files.first?.bytes.first ?? 0)
    return CatalogLoad(game: "g", files: files, outcome: .read(Self.catalog(number), warnings: []))
  }

  func load() -> AcceptedCatalogContents { AcceptedCatalogContents(catalogs: accepted.withLock { $0 }) }
  func store(_ catalog: AcceptedCatalog) throws(StateFault) { accepted.withLock { $0 = [catalog] } }
  func remove(game: String) throws(StateFault) { accepted.withLock { $0 = [] } }

  /// Returns one of the catalogs, which differ in defaults, in admitted values, and in a title.
  static func catalog(_ number: Int) -> Catalog {
    var catalog = Catalog(game: "g", title: "G \(number)", locales: ["en"])
    for (key, value) in HistoryModel.defaults(of: number).sorted(by: { $0.key < $1.key }) {
      catalog.parameters.append(parameter(key, .value(.integer(value)), number))
    }
    catalog.parameters.append(parameter("d", .parameter("a"), number))
    return catalog
  }

  private static func parameter(_ key: String, _ value: ValueSource, _ number: Int) -> Parameter {
    var parameter = Parameter(key: key, type: .integer, defaultValue: value, section: "S", description: "D")
    parameter.range = NumericRange(min: .number(0), max: .number(.integer(HistoryModel.maximum(of: number))))
    return parameter
  }
}

/// The catalog file that hosts share, represented by the number of its catalog.
final class HistoryFile: Sendable {
  private let held = Mutex(0)

  var number: Int {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }
}

/// Parses templates, which are objects of integers by key.
struct HistoryDocuments: TemplateDocuments {
  static func document(_ values: [String: Int64]) -> [UInt8] {
    JSONWriter.bytes(.object(ObjectValue(values.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) })))
  }

  func template(_ document: [UInt8], for catalog: Catalog) throws(Faults) -> Template {
    let template = fitting(document, for: catalog)
    if !template.remarks.isEmpty { throw Faults(template.remarks) }
    return template
  }

  func fitting(_ document: [UInt8], for catalog: Catalog) -> Template {
    var template = Template()
    for member in (try? JSONReader.value(from: document))?.objectValue?.members ?? [] {
      guard let parameter = catalog.parameters.first(where: { $0.key == member.name }) else { continue }
      let admission = ParameterAdmission.admission(of: member.value, for: parameter, in: catalog, use: .gameWide, lookup: NoParameters())
      if let value = admission.value {
        template.layers[member.name] = RemoteLayer(defaultValue: value)
      } else {
        template.remarks.append(Fault("not admitted", at: "/\(member.name)"))
      }
    }
    return template
  }
}
