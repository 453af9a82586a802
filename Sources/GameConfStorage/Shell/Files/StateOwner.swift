// The owner of the files in a state directory: the fleet that has the store, or this host alone.
import Synchronization

/// The owner of a state directory's files, which distinguishes the files of this store from those of another one.
///
/// `last-good.json` and the accepted catalogs of a host that shares its store contain the fleet's id. They are a cache: files of another
/// store say nothing about this one, so they are not loaded, and are overwritten later.
public final class StateOwner: Sendable {
  private struct GuardedState {
    var fleet: String?
    var disregarded: [String] = []
  }

  private let isShared: Bool
  private let report: @Sendable (String) -> Void
  private let guarded = Mutex(GuardedState())

  /// - Parameters:
  ///   - isShared: True if several hosts share the store; its fleet is found out later.
  ///   - report: Receives a sentence about each file that is not used.
  public init(isShared: Bool = false, report: @escaping @Sendable (String) -> Void = { _ in }) {
    self.isShared = isShared
    self.report = report
  }

  /// The fleet's id; nil for a single host's store, and while the fleet is unknown.
  public var fleet: String? { guarded.withLock { $0.fleet } }

  /// The sentences about the files not used since the start.
  var disregarded: [String] { guarded.withLock { $0.disregarded } }

  /// Sets the fleet, from its database, or from a file while the database is unreachable.
  func belong(to fleet: String) { guarded.withLock { $0.fleet = fleet } }

  /// True if a file of that fleet, or of a single host if it is nil, belongs to this store.
  ///
  /// While the fleet is unknown, files of any fleet are accepted. A file without a fleet may be from a time when the host was alone.
  func admits(_ fleet: String?) -> Bool {
    guard isShared else { return fleet == nil }
    guard let fleet else { return false }
    return self.fleet.map { $0 == fleet } ?? true
  }

  /// Reports a file that is not used.
  /// - Parameters:
  ///   - what: The beginning of the report: the file with a verb, such as `last-good.json was`.
  ///   - fleet: The fleet in which the file was written; nil for a single host's store.
  func disregard(_ what: String, of fleet: String?) {
    let whose = fleet.map { "in the fleet \($0)" } ?? "without the id of a fleet"
    let mine = isShared ? self.fleet.map { "the fleet \($0)'s" } ?? "a fleet's" : "this host's own"
    note("\(what) written \(whose), and the store is \(mine): not used; it is replaced with the next write")
  }

  /// Reports that the database belongs to another fleet than the previous one.
  func note(change before: String, to fleet: String) {
    note("the database belongs to the fleet \(fleet), and the state served before to the fleet \(before): that state is no longer served")
  }

  private func note(_ sentence: String) {
    guarded.withLock { $0.disregarded.append(sentence) }
    report(sentence)
  }
}
