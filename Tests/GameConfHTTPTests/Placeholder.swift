import Testing
@Test func placeholderGameConfHTTPTests() {}
