// Checks of aliases: each is a name of its own among the ids and aliases of the game.

extension CatalogCheck {
  mutating func checkAliases() {
    // Strings are equal if they are canonically equivalent: a name composed otherwise is the same name.
    var holders: [String: (key: String, alias: String)] = [:]
    for parameter in catalog.parameters {
      guard let alias = parameter.alias else { continue }
      let path: CatalogPath = ["parameters", parameter.key, "alias"]
      if let complaint = CatalogNames.complaint(aboutAlias: alias) {
        fault(path, complaint)
      } else if alias == parameter.key {
        fault(path, "“\(alias)” is this parameter's id already; leave the alias out.")
      } else if parameters[alias] != nil || isUnreadable(.parameters, alias) && isWhole {
        fault(path, "“\(alias)” is the id of another parameter; “\(parameter.key)” cannot have it for an alias.")
      } else if let holder = holders[alias] {
        let how = ByteText.areSame(holder.alias, alias) ? "is" : "is, composed otherwise,"
        fault(path, "“\(alias)” \(how) the alias of both “\(holder.key)” and “\(parameter.key)”; an alias belongs to one parameter.")
      } else {
        holders[alias] = (parameter.key, alias)
      }
    }
  }
}
