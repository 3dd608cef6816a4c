import type { DatabaseBackup, DatabaseMoment, DatabaseRecoverableWindow } from '@bey/contract'
import type { ChangeMark } from '../../../entities/metrics/use-change-marks.ts'
import { formatCount } from '../../../lib/format.ts'
import { nearestMoment } from '../backups/window-text.ts'

/** A moment to restore to: the second before a statement, deployment or run, or a backup itself. */
export interface RestoreMoment {
  key: string
  atMs: number
  text: string
  /** Who did it, and how many rows it changed. */
  detail: string
  isStatement: boolean
  /** Of a backup that is restored without what came after it. */
  backupId?: string
}

interface Happened {
  window: Pick<DatabaseRecoverableWindow, 'ranges'>
  backups: readonly DatabaseBackup[]
  /** Statements that removed or rewrote data. */
  statements: readonly DatabaseMoment[]
  marks: readonly ChangeMark[]
}

const secondMs = 1_000
const shown = { statements: 4, marks: 2 }

/** The last whole second before something happened: everything that was committed until then is there. */
export const secondBefore = (ms: number) => Math.floor(ms / secondMs) * secondMs - secondMs

/**
 * The moments before what happened, the newest first, and the newest backup itself: those that can be restored. What removed
 * a table comes before what changed rows, and both before the changes of others.
 */
export function restoreMoments({ window, backups, statements, marks }: Happened): RestoreMoment[] {
  const own = statements.map((statement, index) => ({
    key: `statement ${index}`,
    atMs: secondBefore(Date.parse(statement.at)),
    text: `before ${statement.text}`,
    detail: detailOf(statement),
    isStatement: true,
    weight: removesAll(statement) ? 0 : 1,
  }))
  const others = marks
    .filter(({ kind }) => kind === 'deploy' || kind === 'run')
    .map(({ at, text }, index) => ({
      key: `mark ${index}`,
      atMs: secondBefore(at),
      text: `before ${text}`,
      detail: '',
      isStatement: false,
      weight: 0,
    }))
  const newest = backups
    .filter(
      ({ status, consistentAt }) =>
        consistentAt !== null && (status === 'completed' || status === 'verified'),
    )
    .toSorted((a, b) => (b.consistentAt ?? '').localeCompare(a.consistentAt ?? ''))[0]
  const isOffered = ({ atMs }: RestoreMoment) => nearestMoment(window, atMs) === atMs
  return newestFirst([
    ...heaviest(own.filter(isOffered), shown.statements),
    ...heaviest(others.filter(isOffered), shown.marks),
    ...(newest?.consistentAt == null
      ? []
      : [
          {
            key: `backup ${newest.id}`,
            atMs: Date.parse(newest.consistentAt),
            text: 'the newest backup itself',
            detail: 'without later changes',
            isStatement: false,
            backupId: newest.id,
          },
        ]),
  ])
}

/** Whether a statement may have taken all rows of what it names. */
export const removesAll = ({ verb }: Pick<DatabaseMoment, 'verb'>) =>
  verb === 'drop_table' || verb === 'drop' || verb === 'truncate'

function detailOf({ by, run, rows }: DatabaseMoment): string {
  const who = run === null ? by : `a run of ${run.workflowName}`
  return [who, rows === null || rows === 0 ? '' : formatCount(rows, 'row')].filter(Boolean).join(', ')
}

type Weighed = RestoreMoment & { weight: number }

function heaviest(moments: readonly Weighed[], count: number): RestoreMoment[] {
  return moments
    .toSorted((a, b) => a.weight - b.weight || b.atMs - a.atMs)
    .slice(0, count)
    .map(({ weight: _weight, ...moment }) => moment)
}

const newestFirst = (moments: readonly RestoreMoment[]) => moments.toSorted((a, b) => b.atMs - a.atMs)
