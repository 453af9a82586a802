// The owner of the files in a state directory: the fleet whose database the store is in, or this host alone.
import Synchronization

/// Distinguishes files that were written beside this store from those that were written beside another one.
///
/// `last-good.json` and the accepted catalogs of a host that shares its store carry the fleet's id. They are a cache: what was written beside another
/// store says nothing about this one, so it is not used, and written anew.
public final class StateOwner: Sendable {
  private struct GuardedState {
    var fleet: String?
    var disregarded: [String] = []
  }

  private let isShared: Bool
  private let tells: @Sendable (String) -> Void
  private let guarded = Mutex(GuardedState())

  /// - Parameters:
  ///   - isShared: whether the store is one that several hosts share; which fleet's it is, is found out.
  ///   - tells: receives, in a sentence, what is not used.
  public init(isShared: Bool = false, tells: @escaping @Sendable (String) -> Void = { _ in }) {
    self.isShared = isShared
    self.tells = tells
  }

  /// The fleet's id; nil for one host's own store, and while the fleet is not known.
  public var fleet: String? { guarded.withLock { $0.fleet } }

  /// The files that were not used since the start, in sentences.
  var disregarded: [String] { guarded.withLock { $0.disregarded } }

  /// The store is that fleet's, as its database says, or as a file does while the database is away.
  func belong(to fleet: String) { guarded.withLock { $0.fleet = fleet } }

  /// True if what was written in that fleet, or by a host alone, is of this store.
  ///
  /// Of a fleet whose database was not met yet, anything is that names one. What names none may be from the time when the host was alone.
  func admits(_ fleet: String?) -> Bool {
    guard isShared else { return fleet == nil }
    guard let fleet else { return false }
    return self.fleet.map { $0 == fleet } ?? true
  }

  /// Says that something is not used.
  /// - Parameters:
  ///   - what: what it is, with its verb.
  ///   - fleet: in which fleet it was written.
  func disregard(_ what: String, of fleet: String?) {
    let whose = fleet.map { "in the fleet \($0)" } ?? "without the id of a fleet"
    let mine = isShared ? self.fleet.map { "the fleet \($0)'s" } ?? "a fleet's" : "this host's own"
    note("\(what) written \(whose), and the store is \(mine): not used; it is replaced with the next write")
  }

  /// Says that the database is another fleet's than the one before.
  func note(change before: String, to fleet: String) {
    note("the database belongs to the fleet \(fleet), and the state served before to the fleet \(before): that state is no longer served")
  }

  private func note(_ sentence: String) {
    guarded.withLock { $0.disregarded.append(sentence) }
    tells(sentence)
  }
}
