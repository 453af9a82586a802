// Parses template documents for the engine.

import GameConfCore
import GameConfEngine
import GameConfStorage
import GameConfFormats
import GameConfZones

/// Parses template documents in JSON: in our own form, Firebase's and flagd's.
struct TemplateFiles: TemplateDocuments {
  /// The folder of the host's time zone files.
  var zoneFolder = "/usr/share/zoneinfo"

  func template(_ document: [UInt8], for catalog: Catalog) throws(Faults) -> Template {
    try TemplateReader.read(try Self.value(of: document), for: catalog, zones: zones)
  }

  func fitting(_ document: [UInt8], for catalog: Catalog) -> Template {
    guard let value = try? Self.value(of: document) else { return Template() }
    return TemplateReader.fitting(value, for: catalog, zones: zones)
  }

  private var zones: ZoneFiles {
    ZoneFiles { [zoneFolder] name in try? FolderFiles.read("\(zoneFolder)/\(name.text)", bytesMax: Zone.bytesMax) }
  }

  private static func value(of document: [UInt8]) throws(Faults) -> Value {
    var limits = JSONLimits()
    limits.bytesMax = TemplateLimits.documentBytesMax
    do { return try JSONReader.value(from: document, limits: limits) } catch {
      throw Faults([Fault("\(error.message) (byte \(error.offset))", at: error.pointer)])
    }
  }
}
