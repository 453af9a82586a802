// Parses flagd documents as templates of remote values.

import GameConfCore

enum FlagdTemplate {
  static func read(_ document: Value, into page: inout TemplateDraft) {
    let flags: FlagdDocument
    do {
      flags = try FlagdDocument(document, fractional: page.catalog.fractional)
    } catch {
      for each in error.faults { page.fault(each.pointer, each.message) }
      return
    }
    if flags.flags.count > Template.parametersMax {
      page.fault("/flags", "There are \(flags.flags.count) flags; a template may have \(Template.parametersMax).")
    }
    for (key, flag) in flags.flags.sorted(by: { $0.key < $1.key }) {
      let pointer = JSONPointer.appending(key, to: "/flags")
      guard let parameter = page.parameter(named: key, at: pointer) else { continue }
      var admitted = ObjectValue()
      for variant in flag.variants.members {
        let place = JSONPointer.appending(variant.name, to: pointer + "/variants")
        if let value = page.admitted(variant.value, for: parameter, at: place) { admitted[variant.name] = value }
      }
      for name in flag.unknownVariants {
        page.remark(
          pointer + "/targeting",
          "it names “\(name.prefix(60))”, which is no variant: an error in flagd; here it gives the value of the layer below")
      }
      var admittedFlag = flag
      admittedFlag.variants = admitted
      page.template.layers[parameter.key] = RemoteLayer(flag: admittedFlag)
    }
  }
}
