// The answer with a game's catalog, encoded once for all callers.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfServer
internal import Synchronization

/// The encoded body of an answer, with its ETag.
struct EncodedBody: Sendable {
  let bytes: [UInt8]
  let entityTag: EntityTag

  init(bytes: [UInt8]) {
    self.bytes = bytes
    entityTag = EntityTag(of: bytes)
  }

  init(_ value: Value) { self.init(bytes: JSONWriter.bytes(value)) }
}

/// The encoded answer with one catalog. All snapshots of a game with the same catalog use it together.
///
/// Encoding 3 000 parameters takes more than 100 ms. The first request therefore starts a task for it, and later requests wait for the same
/// task.
final class EncodedCatalog: Sendable {
  private enum State {
    case unasked
    case coming(Task<EncodedBody?, Never>)
    case known(EncodedBody)
  }

  private let catalog: Catalog
  private let held = Mutex(State.unasked)

  /// Creates the answer with a catalog, which is encoded at the first request.
  init(_ catalog: Catalog) { self.catalog = catalog }

  /// The encoded body; nil if it has not been encoded yet.
  var known: EncodedBody? {
    held.withLock { held in if case .known(let body) = held { body } else { nil } }
  }

  /// Returns the body, encoded if necessary.
  /// - Throws: `STOPPING` if the process ends before that.
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
