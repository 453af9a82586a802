// Sends a single HTTP request with the system's libcurl, limited in time and size. Redirects are left to the caller.

import CCurl
import GameConfCore

struct WebRequest: Sendable {
  var address: WebAddress
  var headers: [String] = []
  /// The form body of a POST; nil for a GET.
  var form: [UInt8]?
  var timeoutMilliseconds: Int64
  var bytesMax: Int
  /// The file of certificate authorities that are trusted instead of the system's; nil to trust the system's.
  var authoritiesFile: String?
  /// The HTTP proxy of the settings; nil to use the one in the environment.
  var proxy: ProxyAddress?
}

/// A whole HTTP response, as libcurl received it.
struct WebAnswer: Sendable, Hashable {
  var status = 0
  /// The decompressed body.
  var body: [UInt8] = []
  /// The values of the header fields by lower-case name. If a name occurs twice, the last value is used.
  var headers: [String: String] = [:]
  var retryAfterMilliseconds: Int64?
  /// The absolute URL of a redirect; nil for other responses.
  var redirect: String?
  /// True if the body is certainly complete: it has a length, chunks or frames, or TLS was closed properly after it.
  var isEndKnown = true
}

enum WebClient {
  /// Loads and initializes libcurl. Must be called before any request is sent.
  /// - Returns: nil when it is ready, else a sentence that says why it is not.
  static func begin() -> String? { ccurl_load().map { String(cString: $0) } }

  /// The response of one transfer while it arrives. Only the thread of the transfer uses it.
  private final class TransferBuffer {
    let bytesMax: Int
    var body: [UInt8] = []
    var headers: [String: String] = [:]
    var headerBytes = 0
    var isTooLong = false
    var isFramed = false
    var isClosedProperly = false
    init(bytesMax: Int) { self.bytesMax = bytesMax }

    func take(_ piece: UnsafeRawBufferPointer) -> Bool {
      isTooLong = body.count + piece.count > bytesMax
      if !isTooLong { body.append(contentsOf: piece) }
      return !isTooLong
    }

    var isHeadTooLong: Bool { headerBytes > WebClient.headerBytesMax }

    /// True if the server marked the end of the body, so that the body was not cut off by a lost connection.
    var isEndKnown: Bool { isFramed || headers["content-length"] != nil || headers["transfer-encoding"] != nil || isClosedProperly }

    func takeHeader(_ piece: UnsafeRawBufferPointer) -> Bool {
      headerBytes += piece.count
      if isHeadTooLong { return false }
      let line = String(decoding: piece, as: UTF8.self)
      if line.hasPrefix("HTTP/") { (headers, isFramed) = ([:], !line.hasPrefix("HTTP/1")) }
      guard let colon = line.firstIndex(of: ":") else { return true }
      let value = line[line.index(after: colon)...].drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
      headers[line[..<colon].lowercased()] = String(value)
      return true
    }
  }

  fileprivate static let headerBytesMax = 64 << 10
  private static let codingTextMax = 40
  /// The least transfer rate in bytes per second. A slower transfer is aborted after a third of its timeout.
  private static let leastBytesPerSecond = 50

  /// Sends a request and blocks the thread until the whole response has arrived.
  static func send(_ request: WebRequest) throws(Fault) -> WebAnswer {
    guard let transfer = ccurl_init() else { throw Fault("no memory for a transfer") }
    defer { ccurl_cleanup(transfer) }
    var list: UnsafeMutablePointer<curl_slist>?
    defer { ccurl_free_all(list) }
    for header in request.headers { list = ccurl_append(list, header) }
    let gathered = TransferBuffer(bytesMax: request.bytesMax)
    let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    defer { words.deallocate() }
    let ended = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    ended.initialize(to: 0)
    defer { ended.deallocate() }
    let context = Unmanaged.passUnretained(gathered).toOpaque()
    guard set(transfer, request), ccurl_set_headers(transfer, list) == CURLE_OK, ccurl_set_buffer(transfer, words) == CURLE_OK,
      ccurl_set_takers(transfer, takeBody, takeHeader, context) == CURLE_OK, ccurl_set_end(transfer, ended) == CURLE_OK
    else { throw Fault("libcurl refuses the request") }
    let code = withExtendedLifetime(gathered) { ccurl_perform(transfer) }
    guard code == CURLE_OK else { throw fault(code, String(cString: words), gathered, request) }
    gathered.isClosedProperly = ended.pointee != 0
    return WebAnswer(
      status: ccurl_status(transfer), body: gathered.body, headers: gathered.headers,
      retryAfterMilliseconds: retryAfter(gathered.headers["retry-after"], read: Int64(ccurl_retry_after(transfer))),
      redirect: ccurl_redirect(transfer).map { String(cString: $0) }, isEndKnown: gathered.isEndKnown)
  }

  /// Returns the pause of the server's `Retry-After` in milliseconds. libcurl returns 0 for a number that exceeds its range, so such a
  /// number is parsed here.
  static func retryAfter(_ text: String?, read seconds: Int64) -> Int64? {
    if seconds > 0 { return min(seconds, retryAfterSecondsMax) * 1000 }
    guard let text, text.utf8.count > 18, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return text.utf8.contains { $0 != 0x30 } ? retryAfterSecondsMax * 1000 : nil
  }
  private static let retryAfterSecondsMax: Int64 = 1 << 30

  private static let takeBody: ccurl_taker = { bytes, one, count, context in
    guard let bytes, let context else { return 0 }
    let taken = Unmanaged<TransferBuffer>.fromOpaque(context).takeUnretainedValue().take(
      UnsafeRawBufferPointer(start: bytes, count: one * count))
    return taken ? one * count : 0
  }

  private static let takeHeader: ccurl_taker = { bytes, one, count, context in
    guard let bytes, let context else { return 0 }
    let gathered = Unmanaged<TransferBuffer>.fromOpaque(context).takeUnretainedValue()
    return gathered.takeHeader(UnsafeRawBufferPointer(start: bytes, count: one * count)) ? one * count : 0
  }

  private static func set(_ transfer: UnsafeMutableRawPointer, _ request: WebRequest) -> Bool {
    var codes = [
      ccurl_set_text(transfer, CURLOPT_URL, request.address.text),
      ccurl_set_text(transfer, CURLOPT_PROTOCOLS_STR, request.address.isSecure ? "https" : "http"),
      ccurl_set_text(transfer, CURLOPT_USERAGENT, "gameconf-fetch"),
      // Google's servers send an ETag only if the client accepts gzip.
      ccurl_set_text(transfer, CURLOPT_ACCEPT_ENCODING, "gzip"),
      ccurl_set_number(transfer, CURLOPT_NOSIGNAL, 1),
      ccurl_set_number(transfer, CURLOPT_FOLLOWLOCATION, 0),
      ccurl_set_number(transfer, CURLOPT_TIMEOUT_MS, Int(request.timeoutMilliseconds)),
      ccurl_set_number(transfer, CURLOPT_LOW_SPEED_LIMIT, leastBytesPerSecond),
      ccurl_set_number(transfer, CURLOPT_LOW_SPEED_TIME, max(1, Int(request.timeoutMilliseconds / 3_000))),
      ccurl_set_large(transfer, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(request.bytesMax)),
    ]
    // Plain HTTP is used for the loopback interface only, so it must not go through a proxy of the environment.
    if !request.address.isSecure {
      codes.append(ccurl_set_text(transfer, CURLOPT_NOPROXY, "*"))
    } else if let proxy = request.proxy {
      codes.append(ccurl_set_text(transfer, CURLOPT_PROXY, proxy.text))
    }
    if let file = request.authoritiesFile {
      codes.append(ccurl_set_text(transfer, CURLOPT_CAINFO, file))
      codes.append(ccurl_set_text(transfer, CURLOPT_CAPATH, nil))
    }
    if let form = request.form {
      codes.append(ccurl_set_number(transfer, CURLOPT_POSTFIELDSIZE, form.count))
      codes.append(ccurl_set_text(transfer, CURLOPT_COPYPOSTFIELDS, String(decoding: form, as: UTF8.self)))
    }
    return codes.allSatisfy { $0 == CURLE_OK }
  }

  private static func fault(_ code: CURLcode, _ words: String, _ gathered: TransferBuffer, _ request: WebRequest) -> Fault {
    switch code {
    case CURLE_FILESIZE_EXCEEDED: return Fault("the answer is longer than \(request.bytesMax) bytes")
    case CURLE_WRITE_ERROR where gathered.isTooLong: return Fault("the answer is longer than \(request.bytesMax) bytes")
    // libcurl aborts if a header line exceeds 100 KiB, and reports this as lack of memory.
    case CURLE_WRITE_ERROR where gathered.isHeadTooLong, CURLE_OUT_OF_MEMORY where gathered.body.isEmpty:
      return Fault("the answer's head is longer than \(headerBytesMax) bytes")
    case CURLE_WRITE_ERROR, CURLE_BAD_CONTENT_ENCODING:
      let coding = gathered.headers["content-encoding"].map { "“\($0.prefix(codingTextMax))”" } ?? "its Content-Encoding"
      return Fault("the answer cannot be unpacked from \(coding); gameconf-fetch requests gzip or no packing")
    case CURLE_OPERATION_TIMEDOUT:
      return Fault("there was no complete answer within \(Double(request.timeoutMilliseconds) / 1000) s, or too slow a one")
    case CURLE_PARTIAL_FILE: return Fault("the answer is incomplete, it ended after \(gathered.body.count) bytes")
    default:
      let message = words.isEmpty ? String(cString: ccurl_strerror(code)) : words
      return Fault(message)
    }
  }
}
