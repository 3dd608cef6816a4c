/**
 * Places rows that wish to stand at `wished` (ascending, px) at least `gap` apart within `height`: each as near to its
 * wish as the others let it. Where there is no room for all, the last ones go beyond the end.
 */
export function spread(wished: readonly number[], gap: number, height: number): number[] {
  const tops: number[] = []
  for (const wish of wished) tops.push(Math.max(wish, (tops.at(-1) ?? -gap) + gap))
  // From the end back: what was pushed over the edge moves up, and pushes what stands before it.
  let limit = Math.max(height - gap, (wished.length - 1) * gap)
  for (let index = tops.length - 1; index >= 0; index -= 1) {
    tops[index] = Math.min(tops[index] ?? 0, limit)
    limit = (tops[index] ?? 0) - gap
  }
  return tops
}
