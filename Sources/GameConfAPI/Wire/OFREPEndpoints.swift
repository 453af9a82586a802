// The calls of the OpenFeature Remote Evaluation Protocol, 0.3.0: https://github.com/open-feature/protocol

extension Endpoints {
  /// The calls of OpenFeature's protocol.
  public static let ofrepCalls: [Endpoint] = [
    ofrepFlag, ofrepFlags, ofrepEvents, ofrepFlagAtRoot, ofrepFlagsAtRoot,
  ]

  /// The protocol's own shapes, which its own document describes.
  private static let json = Endpoint.Content.bytes(mediaType: "application/json")
  private static let known = "; query parameters that are not known are ignored."

  /// One flag of a game.
  public static let ofrepFlag = Endpoint(
    "ofrepFlag", .post, "/v1/games/{game}/ofrep/v1/evaluate/flags/{key}", on: both, request: json,
    answer: json, summary: "OFREP: one flag\(known)")
  /// Every flag of a game.
  public static let ofrepFlags = Endpoint(
    "ofrepFlags", .post, "/v1/games/{game}/ofrep/v1/evaluate/flags", on: both, request: json,
    answer: json, statuses: [200, 304], summary: "OFREP: every flag; If-None-Match is answered 304\(known)")
  /// OFREP's event stream.
  public static let ofrepEvents = Endpoint(
    "ofrepEvents", .get, "/v1/games/{game}/ofrep/v1/events", on: both,
    query: [Query.player, .init("etag", "The etag of the last event, or of the bulk answer that named this stream.")],
    answer: .bytes(mediaType: "text/event-stream"), summary: "OFREP: says when flags are to be evaluated again\(known)")
  /// One flag of the game that `Flagd-Selector` names.
  public static let ofrepFlagAtRoot = Endpoint(
    "ofrepFlagAtRoot", .post, "/ofrep/v1/evaluate/flags/{key}", on: both, request: json,
    answer: json, summary: "OFREP: one flag of the game in Flagd-Selector: flagSetId=GAME\(known)")
  /// Every flag of the game that `Flagd-Selector` names.
  public static let ofrepFlagsAtRoot = Endpoint(
    "ofrepFlagsAtRoot", .post, "/ofrep/v1/evaluate/flags", on: both, request: json,
    answer: json, statuses: [200, 304],
    summary: "OFREP: every flag of the game in Flagd-Selector: flagSetId=GAME\(known)")
}
