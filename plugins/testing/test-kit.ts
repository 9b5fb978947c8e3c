interface Expectation {
  toEqual(expected: unknown): void;
  toBe(expected: unknown): void;
  toMatch(expected: string | RegExp): void;
}

/** What a contract suite needs of a test runner; vitest's own functions fit. */
export interface TestKit {
  describe(name: string, body: () => void): void;
  it(name: string, body: () => Promise<void> | void): void;
  expect(actual: unknown): Expectation;
}
