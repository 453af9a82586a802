// The ETag of an answer, and the 304 when the client has it already.

enum ConditionalRequest {
  /// The answer with its ETag; 304 without a body when the request names that tag in If-None-Match.
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
