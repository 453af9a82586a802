// Reads a game's catalog from the bytes of its files. The result is a validated catalog, or a list of all faults.

public import GameConfCore

/// A reader of one game's catalog in YAML, in version 1 of the format.
///
/// It reports all faults together, each with file, line and column. Examples of faults are YAML syntax errors, unknown fields, wrong types
/// and unresolved references. It returns a catalog only if there are no faults.
public enum CatalogReader {
  /// Reads a catalog and its drop-ins.
  /// - Parameter isNamedByFile: True if the main file must be named `GAME.yaml`, as it must in the daemon's folders of catalogs.
  public static func read(_ files: CatalogFiles, isNamedByFile: Bool = true) -> CatalogReadResult {
    var run = CatalogReadOperation(files)
    let catalog = run.catalog(isNamedByFile: isNamedByFile)
    return run.reading(of: catalog)
  }
}

/// The state of reading one catalog: its texts, and the faults found so far.
private struct CatalogReadOperation {
  let files: [NamedFile]
  private(set) var texts: [YAMLText] = []
  private(set) var faults: [TextFault] = []
  private(set) var warnings: [TextFault] = []
  private var isPartial = false
  /// True if a file has a syntax error, so that a part of its text may be missing in the syntax tree.
  private var isSpoiled = false
  private let hasSecrets: Bool

  init(_ files: CatalogFiles) {
    self.files = [files.main] + files.dropIns
    hasSecrets = self.files.contains { SecretRegions.isSecret($0.bytes) }
  }

  mutating func catalog(isNamedByFile: Bool) -> Catalog? {
    let roots = files.indices.map { tree(of: $0) }
    guard let main = roots[0] else { return nil }
    if let version = otherVersion(main) {
      let message = "The catalog is written in version \(version) of the format; this program reads version \(CatalogFormat.version)."
      faults.append(TextFault(place: main["gameconf"]?.value.place ?? main.place, message: message))
      return nil
    }
    var dropIns = CatalogDropIns(root: main)
    for (root, file) in zip(roots, files).dropFirst() {
      if let root { dropIns.apply(root, from: Self.shortName(file.name)) }
    }
    faults += dropIns.faults
    let root = dropIns.root
    var shape = CatalogShapeCheck(isWhole: !isPartial)
    shape.check(root: root)
    let secrets = SecretRegions(root: root, hasSecrets: hasSecrets, isUncertain: (isPartial || isSpoiled) && hasSecrets)
    faults += shape.faults.map { secrets.redacted($0) }
    guard root.entries != nil else { return nil }
    var decoder = CatalogDecoder(root: root)
    var catalog = decoder.catalog()
    catalog.dropIns = dropIns.applied.filter { !$0.header.isEmpty || !$0.fields.isEmpty }
    faults += decoder.faults.map { secrets.redacted($0) }
    warnings += decoder.warnings.map { secrets.redacted($0) }
    if isNamedByFile { checkFileName(catalog, root) }
    let check = CatalogCheck(catalog, unreadable: decoder.unreadable, isWhole: !isPartial)
    let finder = CatalogPositionFinder(root: root, leftOut: decoder.leftOut)
    let blamed = Set(faults.map(\.place))
    for finding in check.faults {
      let place = finder.place(of: finding)
      // A malformed value has been reported already. That it also violates references or ranges says nothing new.
      if !blamed.contains(place) { faults.append(secrets.redacted(TextFault(place: place, message: finding.message), ifQuoting: true)) }
    }
    warnings += check.warnings.map { secrets.redacted(TextFault(place: finder.place(of: $0), message: $0.message), ifQuoting: true) }
    if faults.isEmpty { faults += decoder.unread.map { TextFault(place: $0, message: "This cannot be read.") } }
    return faults.isEmpty ? catalog : nil
  }

  /// Parses one file to its syntax tree. Returns nil if the file is empty or not valid text. An empty drop-in is no fault.
  private mutating func tree(of file: Int) -> YAMLNode? {
    let before = faults.count
    let text = YAMLText(files[file].bytes, file: file, faults: &faults)
    texts.append(text)
    if faults.count > before {
      isPartial = true
      return nil
    }
    var parser = YAMLParser(text)
    let root = parser.document()
    faults += hasSecrets ? parser.faults.map(SecretRegions.unquoted) : parser.faults
    if parser.isPartial { isPartial = true }
    if !parser.faults.isEmpty { isSpoiled = true }
    if root == nil, file == 0, parser.faults.isEmpty {
      faults.append(TextFault(place: TextPosition(file: 0, offset: 0), message: "The file is empty; a catalog begins with “gameconf: 1”."))
    }
    return root
  }

  /// Returns the file's name with the last folder of its path, such as `game.d/file.yaml`.
  private static func shortName(_ path: String) -> String { path.split(separator: "/").suffix(2).joined(separator: "/") }

  private func otherVersion(_ root: YAMLNode) -> Int64? {
    guard case .scalar(let text, isQuoted: false)? = root["gameconf"]?.value.content,
      case .number(.integer(let version)) = YAMLScalar.number(text),
      version != CatalogFormat.version, version > 0
    else { return nil }
    return version
  }

  private mutating func checkFileName(_ catalog: Catalog, _ root: YAMLNode) {
    let name = files[0].name.split(separator: "/").last.map(String.init) ?? files[0].name
    guard let entry = root["game"], !catalog.game.isEmpty, name != "\(catalog.game).yaml" else { return }
    faults.append(
      TextFault(place: entry.value.place, message: "The game is “\(catalog.game)”, so its file is named \(catalog.game).yaml, not \(name).")
    )
  }

  func reading(of catalog: Catalog?) -> CatalogReadResult {
    let (faults, leftOut) = placed(faults)
    return CatalogReadResult(catalog: catalog, faults: faults, faultsLeftOut: leftOut, warnings: faults.isEmpty ? placed(warnings).0 : [])
  }

  /// Returns the faults without duplicates, ordered by position and limited in number. Also returns how many faults exceed the limit.
  private func placed(_ faults: [TextFault]) -> ([CatalogFault], Int) {
    var seen: Set<TextFault> = []
    let each = faults.filter { seen.insert($0).inserted }
    let ordered = each.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }.map(\.element)
    let listed = ordered.prefix(CatalogReadResult.faultsMax).map { fault in
      let position = texts[fault.place.file].position(of: fault.place.offset)
      return CatalogFault(file: files[fault.place.file].name, line: position.line, column: position.column, message: fault.message)
    }
    return (listed, ordered.count - listed.count)
  }
}
