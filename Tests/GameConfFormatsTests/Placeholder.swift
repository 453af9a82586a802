import Testing
@Test func placeholderGameConfFormatsTests() {}
