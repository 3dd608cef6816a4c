type Values = readonly (number | null)[]

/**
 * The median of the values before something began to go wrong; undefined where nothing did, or where too few values are
 * known to call one usual.
 */
export function usualBefore(
  values: Values,
  times: readonly number[],
  troubleMs: number | undefined,
): number | undefined {
  if (troubleMs === undefined) return undefined
  const before = values
    .filter((value, index): value is number => value !== null && (times[index] ?? Infinity) < troubleMs)
    .toSorted((a, b) => a - b)
  return before.length < leastValues ? undefined : before[Math.floor(before.length / 2)]
}

const leastValues = 5
