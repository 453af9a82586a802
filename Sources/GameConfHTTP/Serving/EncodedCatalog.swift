// A game's catalog as it is answered, written once for all who ask.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfServer
internal import Synchronization

/// An answer's bytes with the tag that is made of them: both are the same for everybody, as long as nothing changes.
struct EncodedBody: Sendable {
  let bytes: [UInt8]
  let entityTag: EntityTag

  init(bytes: [UInt8]) {
    self.bytes = bytes
    entityTag = EntityTag(of: bytes)
  }

  init(_ value: Value) { self.init(bytes: JSONWriter.bytes(value)) }
}

/// The description of one catalog; every state of its game has the same, until another catalog is accepted.
///
/// Writing a catalog of three thousand parameters takes more than a hundred milliseconds. So it is made beside the event loops, by whoever
/// asks for it first; all who ask meanwhile wait for that one.
final class EncodedCatalog: Sendable {
  private enum State {
    case unasked
    case coming(Task<EncodedBody?, Never>)
    case known(EncodedBody)
  }

  private let catalog: Catalog
  private let held = Mutex(State.unasked)

  /// Of a catalog that nobody has asked for yet.
  init(_ catalog: Catalog) { self.catalog = catalog }

  /// The body that was made for somebody before.
  var known: EncodedBody? {
    held.withLock { held in if case .known(let body) = held { body } else { nil } }
  }

  /// The body, made if it is not there.
  /// - Throws: `STOPPING` when the process ends before it is made.
  func made() async throws(Problem) -> EncodedBody {
    let making = held.withLock { held -> Task<EncodedBody?, Never> in
      switch held {
      case .known(let body): return Task { body }
      case .coming(let making): return making
      case .unasked:
        let catalog = catalog
        let making = Task {
          let body = await BlockingExecutor.run { EncodedBody(CatalogDescription.value(of: catalog)) }
          self.held.withLock { $0 = body.map { .known($0) } ?? .unasked }
          return body
        }
        held = .coming(making)
        return making
      }
    }
    guard let body = await making.value else { throw Problem(.stopping, "The daemon is stopping; try again.") }
    return body
  }
}
