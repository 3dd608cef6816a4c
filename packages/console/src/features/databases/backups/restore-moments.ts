import type { DatabaseBackup, DatabaseRecoverableWindow, SqlHistoryEntry } from '@bey/contract'
import type { ChangeMark } from '../../../entities/metrics/use-change-marks.ts'
import { nearestMoment } from './window-text.ts'

/** A moment to restore to: the second before a statement, deployment or run. */
export interface RestoreMoment {
  atMs: number
  text: string
  isStatement: boolean
}

interface Happened {
  window: Pick<DatabaseRecoverableWindow, 'ranges'>
  backups: readonly DatabaseBackup[]
  /** Statements of the reader in this database. */
  statements: readonly SqlHistoryEntry[]
  marks: readonly ChangeMark[]
  range: { fromMs: number; toMs: number }
}

const secondMs = 1_000
const maxMoments = 6
/** What removes or rewrites data, or changes what holds it. */
const changing = /^\s*(drop|truncate|alter|delete|update|merge|create)\b/i

/**
 * The moments before what happened, the newest first, and the newest backup itself: those that can be restored. Statements come
 * before the changes of others where there are too many.
 */
export function restoreMoments({ window, backups, statements, marks, range }: Happened): RestoreMoment[] {
  const before = (ms: number) => Math.floor(ms / secondMs) * secondMs - secondMs
  const own = statements
    .filter(({ mode, error, statement }) => mode === 'write' && error === null && changing.test(statement))
    .map(({ at, statement }) => ({
      atMs: before(Date.parse(at)),
      text: `before ${line(statement)}`,
      isStatement: true,
    }))
  const others = marks.map(({ at, text }) => ({
    atMs: before(at),
    text: `before ${text}`,
    isStatement: false,
  }))
  const newest = backups
    .flatMap(({ status, consistentAt }) =>
      consistentAt !== null && (status === 'completed' || status === 'verified')
        ? Date.parse(consistentAt)
        : [],
    )
    .toSorted((a, b) => b - a)[0]
  const isOffered = ({ atMs }: RestoreMoment) =>
    atMs >= range.fromMs && atMs <= range.toMs && nearestMoment(window, atMs) === atMs
  const chosen = [...newestFirst(own.filter(isOffered)), ...newestFirst(others.filter(isOffered))]
  return newestFirst([
    ...chosen.slice(0, maxMoments),
    ...(newest === undefined
      ? []
      : [
          { atMs: newest, text: 'the newest backup itself, without later changes', isStatement: false },
        ].filter(isOffered)),
  ])
}

const newestFirst = (moments: readonly RestoreMoment[]) => moments.toSorted((a, b) => b.atMs - a.atMs)

function line(statement: string): string {
  const text = statement.replaceAll(/\s+/g, ' ').trim()
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
