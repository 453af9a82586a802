// The reasons for which bytes are no HTTP request, with the messages for the client.

internal import GameConfCore

/// The reason why bytes could not be parsed as an HTTP request. The connection is then closed, because the start of the next request is
/// unknown.
enum RequestFault: Sendable, Equatable, CaseIterable {
  case controlCharacter, bareLineFeed, emptyLines, requestLine, http2Preface, targetForm, targetCharacter, version
  case foldedField, fieldWithoutColon, spaceBeforeColon, fieldName
  case hostMissing, hostRepeated, hostValue
  case contentLengthValue, contentLengthRepeated, lengthAndChunked, transferCodingVersion, transferCoding, transferCodingRepeated
  case expectation
  case chunkSize, chunkEnd, chunkLineTooLong
  case requestLineTooLong, headTooLarge, bodyTooLarge
  case headTimeout, bodyTimeout

  var code: ProblemCode {
    switch self {
    case .version: .versionNotSupported
    case .transferCoding: .notImplemented
    case .expectation: .expectationFailed
    case .requestLineTooLong: .targetTooLong
    case .headTooLarge: .headerTooLarge
    case .bodyTooLarge: .bodyTooLarge
    case .headTimeout, .bodyTimeout: .requestTimeout
    default: .malformedHTTP
    }
  }

  func fault(_ limits: ServerLimits) -> ServerFault { ServerFault(code, detail(limits)) }

  private func detail(_ limits: ServerLimits) -> String {
    switch self {
    case .controlCharacter: "The head holds a control character. This socket speaks HTTP/1.1 in plain text, without TLS."
    case .bareLineFeed: "A line ends in a bare LF. Every line of a head ends in CR LF."
    case .emptyLines: "The request begins with empty lines. Begin with METHOD /path HTTP/1.1."
    case .requestLine: "The request line is not METHOD /path HTTP/1.1 with single spaces between."
    case .http2Preface: "This socket speaks HTTP/1.1; do not begin with the preface of HTTP/2."
    case .targetForm: "The request target is not a path. Begin it with a slash."
    case .targetCharacter: "The request target holds a character that must be percent-encoded."
    case .version: "The HTTP version is not served here. Use HTTP/1.1."
    case .foldedField: "A header line begins with a space. Write each field on one line."
    case .fieldWithoutColon: "A header line has no colon. Write Name: value."
    case .spaceBeforeColon: "A header's name is followed by a space before its colon. Write Name: value."
    case .fieldName: "A header's name is empty or holds a character that names cannot have."
    case .hostMissing: "HTTP/1.1 needs one Host header. Its value does not matter on this socket."
    case .hostRepeated: "There is more than one Host header. Send one."
    case .hostValue: "The value of Host is not a host name with an optional port."
    case .contentLengthValue: "The value of Content-Length is not a plain decimal number."
    case .contentLengthRepeated: "There is more than one Content-Length. Send one."
    case .lengthAndChunked: "There are both Content-Length and Transfer-Encoding. Send one of them."
    case .transferCodingVersion: "HTTP/1.0 has no Transfer-Encoding. Send Content-Length."
    case .transferCoding: "The only transfer coding served is chunked, alone."
    case .transferCodingRepeated: "There is more than one Transfer-Encoding. Send one."
    case .expectation: "The only expectation that is supported is 100-continue."
    case .chunkSize: "A chunk does not begin with its size in hexadecimal digits and CR LF."
    case .chunkEnd: "A chunk is not followed by CR LF: its size is wrong."
    case .chunkLineTooLong: "A chunk's first line has more than \(limits.chunkLineBytesMax) bytes."
    case .requestLineTooLong: "The request line has more than \(limits.requestLineBytesMax) bytes."
    case .headTooLarge: "The headers have more than \(limits.headerBytesMax) bytes."
    case .bodyTooLarge: "The body is larger than this call allows; most allow \(limits.bodyBytesMax) bytes."
    case .headTimeout: "The headers took longer than \(limits.headerTimeoutSeconds) seconds."
    case .bodyTimeout: "The body took longer than \(limits.bodyTimeoutSeconds) seconds."
    }
  }
}
