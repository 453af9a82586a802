// Template documents as the engine's reader of them.

import GameConfCore
import GameConfEngine
import GameConfFormats

/// Reads documents in JSON: our own form, Firebase's, flagd's.
struct TemplateFiles: TemplateDocuments {
  func template(_ document: [UInt8], for catalog: Catalog) throws(TemplateFaults) -> Template {
    try TemplateReader.read(try Self.value(of: document), for: catalog)
  }

  func fitting(_ document: [UInt8], for catalog: Catalog) -> Template {
    guard let value = try? Self.value(of: document) else { return Template() }
    return TemplateReader.fitting(value, for: catalog)
  }

  private static func value(of document: [UInt8]) throws(TemplateFaults) -> Value {
    var limits = JSONLimits()
    limits.bytesMax = TemplateLimits.documentBytesMax
    do { return try JSONReader.value(from: document, limits: limits) } catch {
      throw TemplateFaults([TemplateFault(pointer: error.pointer, message: "\(error.message) (byte \(error.offset))")])
    }
  }
}
