// The last good state as a JSON file, to serve it if the database is lost.
import GameConfCore

/// Stores the last good state in `last-good.json`.
public struct LastGoodFile: LastGood {
  private static let bytesMax = 1 << 30
  private let path: String

  /// Only sets the path; the first ``store(_:)`` creates the file.
  public init(in directory: StateDirectory) { path = directory.lastGoodPath }

  init(path: String) { self.path = path }

  /// Reads the file; nil if it does not exist.
  public func load() throws(StateFault) -> LastGoodState? {
    guard let bytes = try Files.read(path, bytesMax: Self.bytesMax) else { return nil }
    var limits = JSONLimits()
    limits.bytesMax = Self.bytesMax
    limits.depthMax = 96
    let document: Value
    do throws(JSONError) { document = try JSONReader.value(from: bytes, limits: limits) } catch {
      throw StateFault(code: .damaged, path: path, message: "is not the JSON that was written: \(error.message) (at \(error.pointer))")
    }
    guard let state = LastGoodDocument.state(in: document) else {
      throw StateFault(code: .damaged, path: path, message: "does not hold what gameconfd writes there")
    }
    return state
  }

  /// Writes a temporary file and renames it over the old one.
  public func store(_ state: LastGoodState) throws(StateFault) {
    try Files.replace(path, with: JSONWriter.bytes(LastGoodDocument.document(of: state)))
  }
}
