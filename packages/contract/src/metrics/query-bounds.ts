/** How large a PromQL expression and its answer may be. */
export const metricQueryBounds = {
  maxExpressionLength: 4_000,
  /** Depth of nested expressions, and how many parts one has. */
  maxDepth: 50,
  maxNodes: 500,
  /** Series that one selector, and one expression, may read. */
  maxSeriesTouched: 10_000,
  /** Values that one expression may read. */
  maxPointsTouched: 4_000_000,
  /** Series of an answer; the others are counted. */
  maxSeriesShown: 50,
  maxMetricNames: 2_000,
  timeoutMs: 5_000,
} as const
