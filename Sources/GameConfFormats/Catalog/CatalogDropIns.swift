// Applies drop-ins: files that change a few fields of a catalog's existing parts and cannot add parts.

import GameConfCore

struct CatalogDropIns {
  /// The fields of a parameter that a drop-in may change.
  static let parameterFields = ["alias", "default", "range", "rules"]
  /// The top-level fields of a catalog that a drop-in may change.
  static let headerFields = ["source", "activate", "simulation"]

  private(set) var root: YAMLNode
  private(set) var faults: [TextFault] = []
  /// The drop-ins that were applied so far, in order, each with the fields that no later drop-in has changed.
  private(set) var applied: [CatalogDropIn] = []

  init(root: YAMLNode) { self.root = root }

  /// Replaces the fields of the catalog that a drop-in names.
  /// - Parameter file: The drop-in's file name, relative to the folder of catalogs.
  mutating func apply(_ dropIn: YAMLNode, from file: String) {
    applied.append(CatalogDropIn(file: file))
    guard let entries = dropIn.entries else {
      return report(dropIn.place, "A drop-in is a mapping of fields, such as “parameters”; this is \(dropIn.described).")
    }
    for entry in entries where !CatalogDecoder.isExtension(entry.name) {
      if entry.name == "parameters" {
        applyParameters(entry.value)
      } else if Self.headerFields.contains(entry.name) {
        root.set(entry)
        for at in applied.indices { applied[at].header.removeAll { $0 == entry.name } }
        applied[applied.count - 1].header.append(entry.name)
      } else if entry.name == "gameconf" || entry.name == "game" {
        if case .scalar(let mine, _) = entry.value.content, case .scalar(let theirs, _)? = root[entry.name]?.value.content, mine == theirs {
          continue
        }
        report(entry.value.place, "A drop-in needs no “\(entry.name)”, and this is not that of the catalog it belongs to.")
      } else {
        report(entry.namePlace, "A drop-in may change “parameters”, “source” and “simulation”, not “\(YAMLScalar.shown(entry.name))”.")
      }
    }
  }

  private mutating func applyParameters(_ node: YAMLNode) {
    guard let entries = node.entries else {
      return report(node.place, "“parameters” should be a mapping of names; this is \(node.described).")
    }
    guard var parameters = root["parameters"] else { return report(node.place, "The catalog has no parameters to change.") }
    for entry in entries where !CatalogDecoder.isExtension(entry.name) {
      guard var parameter = parameters.value[entry.name] else {
        let names = parameters.value.entries?.map(\.name) ?? []
        let suggestion = NearestNames.nearest(to: entry.name, among: names).first.map { "; did you mean “\($0)”?" } ?? "."
        report(entry.namePlace, "The catalog has no parameter “\(YAMLScalar.shown(entry.name))”, and a drop-in adds nothing\(suggestion)")
        continue
      }
      guard let fields = entry.value.entries else {
        report(entry.value.place, "“\(entry.name)” should be a mapping of fields; this is \(entry.value.described).")
        continue
      }
      for field in fields where !CatalogDecoder.isExtension(field.name) {
        if Self.parameterFields.contains(field.name) {
          parameter.value.set(field)
          recordChange(field.name, of: entry.name)
        } else {
          report(
            field.namePlace,
            "A drop-in may change “alias”, “default”, “range” and “rules” of a parameter, not “\(YAMLScalar.shown(field.name))”.")
        }
      }
      parameters.value.set(parameter)
    }
    root.set(parameters)
  }

  /// Records that the present drop-in changed a field, and removes the field from the records of earlier drop-ins.
  private mutating func recordChange(_ field: String, of key: String) {
    for at in applied.indices {
      applied[at].fields[key]?.removeAll { $0 == field }
      if applied[at].fields[key]?.isEmpty == true { applied[at].fields[key] = nil }
    }
    applied[applied.count - 1].fields[key, default: []].append(field)
  }

  private mutating func report(_ place: TextPosition, _ message: String) {
    faults.append(TextFault(place: place, message: message))
  }
}

extension YAMLNode {
  /// Replaces the entry with the same name, or appends the entry if there is no such entry.
  mutating func set(_ entry: YAMLEntry) {
    guard case .mapping(var entries) = content else { return }
    if let at = entries.firstIndex(where: { $0.name == entry.name }) { entries[at] = entry } else { entries.append(entry) }
    content = .mapping(entries)
  }
}
