interface LogPeriod {
  label: string
  /** As the foot says it: "in 5 min"; empty for everything. */
  words: string
  seconds: number | undefined
}

/** How far back a log is read, by what the address says. */
export const logPeriods: Readonly<Record<string, LogPeriod>> = {
  '5m': { label: 'Last 5 min', words: 'in 5 min', seconds: 300 },
  '': { label: 'Last 15 min', words: 'in 15 min', seconds: 900 },
  '1h': { label: 'Last hour', words: 'in 1 h', seconds: 3600 },
  '6h': { label: 'Last 6 h', words: 'in 6 h', seconds: 21_600 },
  '1d': { label: 'Last day', words: 'in 24 h', seconds: 86_400 },
  all: { label: 'Everything kept', words: '', seconds: undefined },
}

export function logPeriod(asked: string | undefined): LogPeriod {
  return logPeriods[asked ?? ''] ?? { label: '', words: '', seconds: 900 }
}
