import type { ChangeEntry } from '@bey/contract'

export const periods = ['30m', '2h', '24h', '7d'] as const
type Period = (typeof periods)[number]

const minuteMs = 60_000

export const periodMs: Readonly<Record<Period, { label: string; ms: number }>> = {
  '30m': { label: '30 minutes', ms: 30 * minuteMs },
  '2h': { label: '2 hours', ms: 120 * minuteMs },
  '24h': { label: '24 hours', ms: 24 * 60 * minuteMs },
  '7d': { label: '7 days', ms: 7 * 24 * 60 * minuteMs },
}

export const changeKinds = ['object', 'action', 'run', 'event'] as const

export const changeLabels: Readonly<Record<ChangeEntry['kind'], string>> = {
  object: 'Object',
  action: 'Through Bey',
  run: 'Run',
  event: 'Warning',
}

/** The time that is shown: that of the address where it is one, else a period that ends at `now`. */
export function windowOf(
  search: { from?: string; to?: string; period?: string },
  now: Date,
): { from: string; to: string } {
  const [fromMs, toMs] = [Date.parse(search.from ?? ''), Date.parse(search.to ?? '')]
  if (fromMs < toMs && toMs - fromMs <= periodMs['7d'].ms) {
    return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }
  }
  const period = periods.find((each) => each === search.period) ?? '30m'
  return { from: new Date(now.getTime() - periodMs[period].ms).toISOString(), to: now.toISOString() }
}
