// A reader of the simplest template documents, for tests: a JSON object of integers by key.
import GameConfCore
import GameConfEngine

struct PlainDocuments: TemplateDocuments {
  func template(_ document: [UInt8], for catalog: Catalog) throws(Faults) -> Template {
    let template = read(document, for: catalog)
    if !template.remarks.isEmpty { throw Faults(template.remarks) }
    return template
  }

  func fitting(_ document: [UInt8], for catalog: Catalog) -> Template { read(document, for: catalog) }

  private func read(_ document: [UInt8], for catalog: Catalog) -> Template {
    var template = Template()
    guard let object = (try? JSONReader.value(from: document))?.objectValue else {
      template.remarks = [Fault("not an object")]
      return template
    }
    for member in object.members {
      guard let parameter = catalog.parameters.first(where: { $0.key == member.name }) else {
        template.unknownKeys.append(member.name)
        continue
      }
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
