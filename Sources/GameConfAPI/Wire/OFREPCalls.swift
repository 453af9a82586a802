// The calls of the OpenFeature Remote Evaluation Protocol, 0.3.0: https://github.com/open-feature/protocol

internal import GameConfCore

/// An answer body in the form that the OpenFeature protocol's own document describes.
package struct OFREPBody: BytesBody {
  package static let content = Endpoint.BodyContent.bytes(mediaType: "application/json", required: false)
  package init() {}
}

extension Calls {
  private static var ofrepExample: Value { ["context": ["targetingKey": "p1", "locale": "es"]] }
  private static let known = "; query parameters that are not known are ignored."

  package static let ofrepFlag = Call<OFREPRequest, OFREPBody>(
    "ofrepFlag", .post, "/v1/games/{game}/ofrep/v1/evaluate/flags/{key}", on: both,
    example: CallExample(["key": "arcade_mode_enabled"], body: ofrepExample), "OFREP: one flag\(known)")
  package static let ofrepFlags = Call<OFREPRequest, OFREPBody>(
    "ofrepFlags", .post, "/v1/games/{game}/ofrep/v1/evaluate/flags", on: both, statuses: [200, 304],
    example: CallExample(body: ofrepExample), "OFREP: every flag; If-None-Match is answered 304\(known)")
  package static let ofrepEvents = Call<NoBody, EventStreamText>(
    "ofrepEvents", .get, "/v1/games/{game}/ofrep/v1/events", on: both, query: [.player, .ofrepTag],
    "OFREP: says when flags are to be evaluated again\(known)")
  package static let ofrepFlagAtRoot = Call<OFREPRequest, OFREPBody>(
    "ofrepFlagAtRoot", .post, "/ofrep/v1/evaluate/flags/{key}", on: both,
    example: CallExample(["key": "arcade_mode_enabled"], headers: ["Flagd-Selector": "flagSetId=wheresthedot"], body: ofrepExample),
    "OFREP: one flag of the game in Flagd-Selector: flagSetId=GAME\(known)")
  package static let ofrepFlagsAtRoot = Call<OFREPRequest, OFREPBody>(
    "ofrepFlagsAtRoot", .post, "/ofrep/v1/evaluate/flags", on: both, statuses: [200, 304],
    example: CallExample(headers: ["Flagd-Selector": "flagSetId=wheresthedot"], body: ofrepExample),
    "OFREP: every flag of the game in Flagd-Selector: flagSetId=GAME\(known)")
}

extension QueryParameter {
  package static let ofrepTag = Self("etag", "The ETag of the last event, or of the bulk answer that named this stream.")
}
