// The protocol for an observer of the answers that an event loop sends, by which viewers see live requests.

/// Observes the answers that one event loop sends. The methods are called on that loop after an answer is written. While an event loop has
/// no observer, each answer costs one check of a flag.
package protocol AnswerObserver<App>: AnyObject {
  associatedtype App: ServerApp

  /// Called after a precomputed answer was sent.
  /// - Parameter body: The body of the answer, which is valid only until the method returns.
  func gave(ready body: UnsafeRawBufferPointer, to target: UnsafeRawBufferPointer, for peer: Peer<App.Role>)

  /// Called after any other answer was sent, or after the head of a streamed answer was sent.
  func gave(_ answer: ObservedAnswer<App>)
}

package struct ObservedAnswer<App: ServerApp> {
  /// The answered request; nil if it matched no route.
  package let request: Request<App>?
  /// The index of the request's route in the router; -1 without a route.
  package let route: Int
  /// The target of the request, path and query, as the client sent it.
  package let target: String
  package let peer: Peer<App.Role>
  /// The value of the header `Gameconf-Program`, by which the project's own programs name themselves; nil without it.
  package let program: String?
  /// The answer before a conditional header of the request, such as `If-None-Match`, changed it.
  package let answer: Answer
  /// The status that was sent; it may be 304 although the status of ``answer`` is 200.
  package let status: Int
  /// True if the answer is a stream whose body is still to come.
  package let isStream: Bool
}

extension RoutedExchange {
  /// Passes an answer to the observer of the event loop.
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
