import { liveLimits } from '@bey/contract'

/**
 * How long to wait after the given number of failures in a row (1 or more): 1 to 2 s, 2 to 4 s, … at most 30 s.
 * Spread over the upper half of each step, so that a restarted server is not met by everybody at once.
 */
export function retryDelayMs(failures: number, random: () => number): number {
  const ceilingMs = Math.min(liveLimits.reconnectMaxMs, liveLimits.reconnectMinMs * 2 ** failures)
  return Math.max(liveLimits.reconnectMinMs, ceilingMs / 2 + (ceilingMs / 2) * random())
}
