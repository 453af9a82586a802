// Evaluates flagd's operator `fractional`, which assigns each caller to one of several weighted buckets by a hash.

extension LogicProgram {
  /// Returns the variant of the caller's bucket; null if the hashed value is missing or has a wrong type, or if a weight is not valid.
  func bucketed(_ node: LogicNode, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Value {
    let isLegacy = node.payload == 2
    var firstBucket: Int32 = 0
    let hash: UInt32?
    if nodes[Int(operand(node, 0))].operation == .list {
      hash = implicitHash(isLegacy: isLegacy, input, run)
    } else {
      let first = value(operand(node, 0), input, &run, parameter)
      if case .list = first {
        hash = implicitHash(isLegacy: isLegacy, input, run)
      } else {
        firstBucket = 1
        hash = Self.hash(of: first, isLegacy: isLegacy, &run)
      }
    }
    guard let hash, firstBucket < node.count else { return .null }
    let count = Int(node.count - firstBucket)
    return withUnsafeTemporaryAllocation(of: Int64.self, capacity: count) { weights in
      var total: Int64 = 0
      for at in 0..<count {
        guard let weight = weight(of: operand(node, firstBucket + Int32(at)), input, &run, parameter) else { return .null }
        total += weight
        guard total <= Int64(Int32.max) else { return .null }
        weights[at] = weight
      }
      guard total > 0 else { return .null }
      let bucket = Int64((UInt64(hash) &* UInt64(total)) >> 32)
      run.recorder?.bucket(bucket, of: total)
      var end: Int64 = 0
      for at in 0..<count {
        end += weights[at]
        if bucket < end { return variant(of: operand(node, firstBucket + Int32(at)), input, &run, parameter) }
      }
      return .null
    }
  }

  /// Returns the hash of the list `[flagKey, targetingKey]`; in version 2 of `fractional`, of both texts concatenated. Returns nil without
  /// a `targetingKey`.
  private func implicitHash(isLegacy: Bool, _ input: LogicInput, _ run: LogicEvaluator) -> UInt32? {
    var flagKey = input.flagKey
    let key: Value?
    if run.scope.isContext, run.data == nil {
      key = input.targetingKey.map(Value.string)
      run.recorder?.read("targetingKey", key)
    } else {
      let data = run.scope.isContext ? run.data : run.scope.accumulator == nil ? run.scope.element : nil
      key = data?["targetingKey"]
      flagKey = data?["$flagd"]?["flagKey"]?.stringValue ?? ""
    }
    guard case .string(let targetingKey)? = key, !targetingKey.isEmpty else { return nil }
    var hash = Murmur3()
    if isLegacy {
      hash.update(flagKey)
      hash.update(targetingKey)
    } else {
      CBOR.encodeListHead(count: 2, into: &hash)
      CBOR.encode(flagKey, into: &hash)
      CBOR.encode(targetingKey, into: &hash)
    }
    return hash.value
  }

  private static func hash(of value: Value, isLegacy: Bool, _ run: inout LogicEvaluator) -> UInt32? {
    var hash = Murmur3()
    switch value {
    case .null: return nil
    case .string(let text):
      guard run.spend(bytes: text.utf8.count) else { return nil }
      if isLegacy { hash.update(text) } else { CBOR.encode(text, into: &hash) }
    default:
      guard !isLegacy, run.spend(for: value) else { return nil }
      CBOR.encode(value, into: &hash)
    }
    return hash.value
  }

  /// Returns the weight of a bucket: 1 by default, and 0 for a negative weight. Returns nil if the bucket is malformed.
  private func weight(of bucket: Int32, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Int64? {
    let node = nodes[Int(bucket)]
    let written: Value
    if node.operation == .list {
      if node.count == 1 { return 1 }
      written = value(operand(node, 1), input, &run, parameter)
    } else {
      guard case .list(let parts) = value(bucket, input, &run, parameter), parts.count == 1 || parts.count == 2 else { return nil }
      if parts.count == 1 { return 1 }
      written = parts[1]
    }
    switch written {
    case .integer(let weight): return weight <= Int64(Int32.max) ? max(0, weight) : nil
    case .double(let weight): return Int64(exactly: weight).flatMap { $0 <= Int64(Int32.max) ? max(0, $0) : nil }
    default: return nil
    }
  }

  private func variant(of bucket: Int32, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Value {
    let node = nodes[Int(bucket)]
    if node.operation == .list { return value(operand(node, 0), input, &run, parameter) }
    return value(bucket, input, &run, parameter).listValue?.first ?? .null
  }
}

extension LogicCompiler {
  /// Throws if the constant weights add up to more than `Int32.max`, the largest sum for which flagd assigns a caller to a bucket.
  ///
  /// With a larger sum every caller gets the default, which is never intended. A flag that must behave exactly as in flagd may have such
  /// weights: see ``LogicOptions/admitsAnyWeights``.
  func checkWeights(_ arguments: [Value]) throws(LogicFault) {
    if options.admitsAnyWeights { return }
    var total: Int64 = 0
    for parts in arguments.compactMap(\.listValue) {
      let weight: Double
      switch parts.count {
      case 1: weight = 1
      case 2: weight = parts[1].numberValue ?? 0
      default: continue
      }
      guard weight <= Double(Int32.max), case let sum = total + Int64(max(0, weight)), sum <= Int64(Int32.max) else {
        throw fault("The weights of “fractional” come to more than \(Int32.max), for which no caller is given a bucket; make them smaller.")
      }
      total = sum
    }
  }
}
