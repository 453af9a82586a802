// Why a change was refused, as the caller sees it.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine

extension Problem {
  /// The refusal of a change.
  init(_ refusal: ChangeRefusal) {
    switch refusal {
    case .refused(let refusal): self.init(refusal)
    case .tooManyOpenPlays(let max):
      self.init(.limitReached, "This player has \(max) open plays, the limit; close one first (GET …/plays lists them).")
    case .repeatedWithOtherContent:
      self.init(.idReused, "This Idempotency-Key was used with another content before; use another key for another change.")
    case .alreadyDone: self.init(.idReused, "The request was done before.")
    case .store(let error): self.init(error)
    }
  }

  /// A refusal of the core as the daemon answers it.
  init(_ refusal: Refusal) {
    self.init(
      refusal.code, refusal.message, pointer: refusal.pointer,
      errors: refusal.faults.map { Item($0.code, $0.message, pointer: $0.pointer) }, retryAfterSeconds: refusal.retryAfterSeconds,
      extensions: refusal.members)
  }
}
