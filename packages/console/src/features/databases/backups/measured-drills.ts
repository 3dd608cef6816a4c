import { type DatabaseRestore, recoveryMs } from '@bey/contract'
import { formatDuration } from '../../../lib/format.ts'

type Drill = Pick<DatabaseRestore, 'kind' | 'proof' | 'durations' | 'lostMs'>

const shown = 14

/** What the newest drills that restored something measured, newest first: the median, and the worst where several differ. */
export function measuredDrills(restores: readonly Drill[]): { drills: number; back: string; lost: string } {
  const drills = restores
    .filter(({ kind, proof }) => kind === 'drill' && (proof === 'passed' || proof === 'failed'))
    .slice(0, shown)
  const known = (values: readonly (number | null)[]) => values.filter((value) => value !== null)
  return {
    drills: drills.length,
    back: spreadText(known(drills.map(({ durations }) => recoveryMs(durations)))),
    lost: spreadText(known(drills.map(({ lostMs }) => lostMs))),
  }
}

function spreadText(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.ceil((sorted.length - 1) / 2)],
  ]
  const worst = sorted.at(-1)
  if (low === undefined || high === undefined || worst === undefined) return '—'
  const median = formatDuration((low + high) / 2)
  return formatDuration(worst) === median ? median : `${median}, worst ${formatDuration(worst)}`
}
