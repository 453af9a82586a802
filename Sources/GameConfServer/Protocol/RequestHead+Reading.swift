// Parses the lines of a request's head.

extension RequestHead {
  /// Parses the request line `METHOD target HTTP/1.x`, which begins at the offset `start` of the head. Returns its fault; nil if valid.
  mutating func readRequestLine(_ line: UnsafeRawBufferPointer, at start: Int) -> RequestFault? {
    guard let space = line.firstIndex(of: 32), space > 0 else { return .requestLine }
    method = Method(UnsafeRawBufferPointer(rebasing: line[..<space]))
    if method == .other, !line[..<space].allSatisfy(FieldBytes.isToken) { return .requestLine }

    var at = space + 1
    while at < line.count, FieldBytes.isTarget(line[at]) { at += 1 }
    if at == line.count || at == space + 1 { return .requestLine }
    if line[at] != 32 { return .targetCharacter }
    let version = UnsafeRawBufferPointer(rebasing: line[(at + 1)...])
    if let fault = readVersion(version) { return isPreface(line) ? .http2Preface : fault }
    guard let path = pathStart(line, from: space + 1, to: at) else { return .targetForm }
    target = start + path..<start + at
    return nil
  }

  private mutating func readVersion(_ version: UnsafeRawBufferPointer) -> RequestFault? {
    guard version.count == 8, FieldBytes.starts(version, with: "HTTP/"), version[6] == UInt8(ascii: "."),
      FieldBytes.isDigit(version[5]), FieldBytes.isDigit(version[7])
    else { return .requestLine }
    if version[5] != UInt8(ascii: "1") { return .version }
    if version[7] == UInt8(ascii: "0") {
      isVersion10 = true
      traits.insert(.closes)
    }
    return nil
  }

  private func isPreface(_ line: UnsafeRawBufferPointer) -> Bool { FieldBytes.equals(line, "PRI * HTTP/2.0") }

  /// Returns the offset of the path in a target in origin form (`/path`) or absolute form (`http://host/path`).
  private func pathStart(_ line: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int? {
    if line[start] == UInt8(ascii: "/") { return start }
    let target = UnsafeRawBufferPointer(rebasing: line[start..<end])
    guard target.count > 7, FieldBytes.equalsLowercased(UnsafeRawBufferPointer(rebasing: target[..<7]), "http://") else { return nil }
    let authority = target[7...]
    guard let slash = authority.firstIndex(of: UInt8(ascii: "/")), slash > 7, !authority[..<slash].contains(UInt8(ascii: "?")) else {
      return nil
    }
    return start + slash
  }

  /// Parses a header line `Name: value`, and stores the facts that the connection needs. Returns the line's fault; nil if it is valid.
  mutating func readField(_ line: UnsafeRawBufferPointer, at start: Int) -> RequestFault? {
    if line[0] == 32 || line[0] == 9 { return .foldedField }
    var colon = 0
    while colon < line.count, FieldBytes.isToken(line[colon]) { colon += 1 }
    if colon == line.count { return .fieldWithoutColon }
    if line[colon] != UInt8(ascii: ":") {
      return line[colon] == 32 || line[colon] == 9 ? .spaceBeforeColon : .fieldName
    }
    if colon == 0 { return .fieldName }
    var (lower, upper) = (colon + 1, line.count)
    while lower < upper, line[lower] == 32 || line[lower] == 9 { lower += 1 }
    while upper > lower, line[upper - 1] == 32 || line[upper - 1] == 9 { upper -= 1 }
    let value = UnsafeRawBufferPointer(rebasing: line[lower..<upper])
    if !FieldBytes.isFieldValue(value) { return .controlCharacter }
    let name = UnsafeRawBufferPointer(rebasing: line[..<colon])
    if colon == 4, FieldBytes.equalsLowercased(name, "host") { return readHost(value, at: start + lower) }
    return readMeaning(of: name, value)
  }

  private mutating func readHost(_ value: UnsafeRawBufferPointer, at start: Int) -> RequestFault? {
    if traits.contains(.host) { return .hostRepeated }
    traits.insert(.host)
    host = start..<start + value.count
    return value.allSatisfy(FieldBytes.isHost) ? nil : .hostValue
  }

  private mutating func readMeaning(of name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> RequestFault? {
    switch name.count {
    case 6:
      if FieldBytes.equalsLowercased(name, "origin") {
        traits.insert(.browser)
      } else if FieldBytes.equalsLowercased(name, "expect"), !isVersion10 {
        if !FieldBytes.equalsLowercased(value, "100-continue") { return .expectation }
        traits.insert(.expectsContinue)
      }
    case 10 where FieldBytes.equalsLowercased(name, "connection"):
      for option in value.split(separator: UInt8(ascii: ",")) {
        let word = FieldBytes.trimmed(UnsafeRawBufferPointer(rebasing: option))
        if FieldBytes.equalsLowercased(word, "close") { traits.insert(.closes) }
      }
    case 14 where FieldBytes.equalsLowercased(name, "content-length"):
      if contentLength != nil { return .contentLengthRepeated }
      guard let length = FieldBytes.decimal(value) else { return .contentLengthValue }
      contentLength = length
    case 16 where FieldBytes.equalsLowercased(name, "gameconf-program"): traits.insert(.program)
    case 17 where FieldBytes.equalsLowercased(name, "transfer-encoding"):
      if traits.contains(.chunked) { return .transferCodingRepeated }
      if !FieldBytes.equalsLowercased(value, "chunked") { return .transferCoding }
      traits.insert(.chunked)
    default: break
    }
    if name.count > 3, FieldBytes.equalsLowercased(UnsafeRawBufferPointer(rebasing: name[..<3]), "if-") { traits.insert(.conditional) }
    if name.count > 10, FieldBytes.equalsLowercased(UnsafeRawBufferPointer(rebasing: name[..<10]), "sec-fetch-") {
      traits.insert(.browser)
    }
    return nil
  }

  /// Checks the combination of all header fields after the last line of the head. Returns the fault; nil if the head is valid.
  func settle() -> RequestFault? {
    if !isVersion10, !traits.contains(.host) { return .hostMissing }
    if traits.contains(.chunked) {
      if isVersion10 { return .transferCodingVersion }
      if contentLength != nil { return .lengthAndChunked }
    }
    return nil
  }
}

extension RequestHead.Method {
  fileprivate init(_ name: UnsafeRawBufferPointer) {
    switch name.count {
    case 3 where FieldBytes.equals(name, "GET"): self = .get
    case 3 where FieldBytes.equals(name, "PUT"): self = .put
    case 4 where FieldBytes.equals(name, "POST"): self = .post
    case 4 where FieldBytes.equals(name, "HEAD"): self = .head
    case 5 where FieldBytes.equals(name, "PATCH"): self = .patch
    case 5 where FieldBytes.equals(name, "TRACE"): self = .trace
    case 6 where FieldBytes.equals(name, "DELETE"): self = .delete
    case 7 where FieldBytes.equals(name, "OPTIONS"): self = .options
    case 7 where FieldBytes.equals(name, "CONNECT"): self = .connect
    default: self = .other
    }
  }
}
