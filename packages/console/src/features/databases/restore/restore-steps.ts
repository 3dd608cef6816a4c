import {
  type DatabaseBackup,
  type DatabaseRecoverableWindow,
  type DatabaseRestore,
  unreachable,
} from '@bey/contract'
import { absent, formatBytes, formatCount, formatDuration } from '../../../lib/format.ts'
import { momentText } from '../../../ui/time-text.ts'
import { walBytesAt } from '../backups/recovery-text.ts'
import type { RestorePlace } from './restore-place.ts'

export interface RestoreStep {
  text: string
  /** How long it takes, from what drills measured; "—" where they were too few. */
  time: string
}

/** Fewer measurements than this make no estimate. */
export const leastDrills = 5

export interface StepFacts {
  recovery: DatabaseRecoverableWindow['recovery']
  restores: readonly DatabaseRestore[]
  /** The base backup that it begins from. */
  base: DatabaseBackup | undefined
  atMs: number
  /** Whether the backup itself is restored, without what came after it. */
  isBackupItself: boolean
  checks: number
  place: RestorePlace
  name: string
  /** Of a restore of one table: which, and whether its rows are replaced. */
  table: string
  isReplacing: boolean
}

/** What a restore does one after the other, and how long that takes all together; undefined where it is not known. */
export function restoreSteps(facts: StepFacts): { steps: RestoreStep[]; totalMs: number | undefined } {
  const { recovery, base, atMs, isBackupItself, checks, place, name } = facts
  const { measured } = recovery
  const rate = measured !== null && measured.drills >= leastDrills ? measured : undefined
  const walBytes = walBytesAt(recovery, atMs)
  const walMs =
    rate === undefined || walBytes === undefined ? undefined : (walBytes / rate.walBytesPerSecond) * 1_000
  const checkMs = medianCheckMs(facts.restores)
  const from = base?.consistentAt == null ? '' : ` of ${momentText(base.consistentAt)}`
  const steps: RestoreStep[] = [
    { text: `Start a new server from the base backup${from}`, time: timeText(rate?.baseMs) },
    {
      text: isBackupItself
        ? 'Replay what makes the backup consistent'
        : `Replay${walBytes === undefined ? '' : ` up to ${formatBytes(walBytes)} of`} WAL, stop at ${momentText(new Date(atMs))}`,
      time: timeText(walMs),
    },
    ...(checks === 0 || place === 'table'
      ? []
      : [{ text: `Run ${formatCount(checks, 'check')} of ${name}`, time: timeText(checkMs) }]),
    ...endOf(facts),
  ]
  const known = [rate?.baseMs, walMs, ...(checks === 0 || place === 'table' ? [] : [checkMs])]
  // Nothing measured how long the rows of a table take.
  const isKnown = place !== 'table' && known.every((ms) => ms !== undefined)
  return { steps, totalMs: isKnown ? known.reduce((sum: number, ms) => sum + (ms ?? 0), 0) : undefined }
}

function endOf({ place, name, table, isReplacing }: StepFacts): RestoreStep[] {
  switch (place) {
    case 'new':
      return [{ text: 'Give its owner a password of its own', time: absent }]
    case 'swap':
      return [
        { text: 'Count the rows of both, and wait for you', time: 'until you swap' },
        { text: 'Then, when you swap: end connections, move the address', time: absent },
        { text: 'Keep the old one, read only', time: '24 h' },
      ]
    case 'table':
      return [
        {
          text: isReplacing
            ? `Replace the rows of ${table} in one transaction`
            : `Copy ${table} into ${name} in one transaction`,
          time: absent,
        },
        { text: 'Remove the server again', time: absent },
      ]
    default:
      return unreachable(place)
  }
}

const timeText = (ms: number | undefined) => (ms === undefined ? absent : formatDuration(ms))

/** Of the newest restores and drills that ran checks; undefined where too few did. */
function medianCheckMs(restores: readonly DatabaseRestore[]): number | undefined {
  const known = restores
    .filter(({ checks }) => checks.length > 0)
    .flatMap(({ durations }) => durations.validateMs ?? [])
    .slice(0, 14)
    .toSorted((a, b) => a - b)
  return known.length < leastDrills ? undefined : known[Math.floor(known.length / 2)]
}
