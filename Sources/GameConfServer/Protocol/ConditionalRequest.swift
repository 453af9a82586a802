// Conditional requests: the ETag of an answer, and 304 if the client already has that answer.

enum ConditionalRequest {
  /// Returns the answer with its ETag, or an answer 304 without a body if the request's If-None-Match header contains that ETag.
  static func applied(to original: Answer, _ exchange: Exchange) -> Answer {
    let method = exchange.text.head.method
    guard original.status == 200, method == .get || method == .head else { return original }
    var answer = original
    if answer.entityTag == nil, answer.contentType == "application/json" { answer.entityTag = EntityTag(of: answer.body) }
    guard let tag = answer.entityTag, exchange.text.head.traits.contains(.conditional),
      let list = exchange.text.list("if-none-match"), tag.isNamed(in: list, weakly: true)
    else { return answer }
    answer.status = 304
    answer.body = []
    answer.contentType = nil
    answer.fields = []
    return answer
  }
}
