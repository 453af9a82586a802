// The observer of an event loop's answers, while somebody looks.

/// Observes the answers of one event loop; called on it, after the answer is written. While there is none, an answer costs one load of a flag.
package protocol AnswerObserver<App>: AnyObject {
  associatedtype App: ServerApp

  /// An answer that lay ready was given.
  /// - Parameter body: Its body, to be read before this returns.
  func gave(ready body: UnsafeRawBufferPointer, to target: UnsafeRawBufferPointer, for peer: Peer<App.Role>)

  /// An answer was given, or a stream begun.
  func gave(_ answer: ObservedAnswer<App>)
}

/// An answer with the request that it answers.
package struct ObservedAnswer<App: ServerApp> {
  /// The request; nil if it reached no route.
  package let request: Request<App>?
  /// The position of its route among those of the router; -1 without one.
  package let route: Int
  /// The target as it was sent.
  package let target: String
  /// The other end.
  package let peer: Peer<App.Role>
  /// The program that the request names itself after by `Gameconf-Program`; nil for most.
  package let program: String?
  /// The answer before conditions are applied to it.
  package let answer: Answer
  /// The status that was sent.
  package let status: Int
  /// True if its body follows piece by piece.
  package let isStream: Bool
}

extension RoutedExchange {
  /// Shows an answer to the loop's observer.
  func show(
    _ answer: Answer, status: Int, isStream: Bool, to observer: any AnswerObserver<App>, _ request: Request<App>?, _ peer: Peer<App.Role>
  ) {
    observer.gave(
      ObservedAnswer(
        request: request, route: ordinal, target: String(decoding: text.target, as: UTF8.self), peer: peer,
        program: text.field("gameconf-program").map { String(decoding: $0.value, as: UTF8.self) }, answer: answer, status: status,
        isStream: isStream))
  }
}
