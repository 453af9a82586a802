// Validates aliases: an alias must differ from every key and from every other alias of the game.

extension CatalogCheck {
  mutating func checkAliases() {
    // Swift compares strings by canonical equivalence, so an alias in another Unicode normalization counts as the same name.
    var owners: [String: (key: String, alias: String)] = [:]
    for parameter in catalog.parameters {
      guard let alias = parameter.alias else { continue }
      let path: CatalogPath = ["parameters", parameter.key, "alias"]
      if let complaint = CatalogNames.complaint(aboutAlias: alias) {
        fault(path, complaint)
      } else if alias == parameter.key {
        fault(path, "“\(alias)” is this parameter's id already; leave the alias out.")
      } else if parameters[alias] != nil || isUnreadable(.parameters, alias) && isWhole {
        fault(path, "“\(alias)” is the id of another parameter; “\(parameter.key)” cannot have it for an alias.")
      } else if let owner = owners[alias] {
        let how = ByteText.areSame(owner.alias, alias) ? "is" : "is, composed otherwise,"
        fault(path, "“\(alias)” \(how) the alias of both “\(owner.key)” and “\(parameter.key)”; an alias belongs to one parameter.")
      } else {
        owners[alias] = (parameter.key, alias)
      }
    }
  }
}
