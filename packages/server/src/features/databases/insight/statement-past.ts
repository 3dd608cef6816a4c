import type { SqlEstimate } from '@bey/contract'

import type { Db } from '../../../platform/db/database.ts'
import { selectAdvice } from './advice-store.ts'
import type { Scan } from './slow-scans.ts'
import { countsOf, type Subject } from './statement-store.ts'

const dayMs = 86_400_000

/**
 * How long a statement took before, as the server counted it, and the open advice on indexes for what it reads. Without a
 * `queryId` nothing is known of the time.
 */
export async function historyAndAdvice(
  db: Db,
  subject: Subject,
  { queryId, scans }: { queryId: string | undefined; scans: readonly Scan[] },
  now: Date,
): Promise<Pick<SqlEstimate, 'history' | 'advice'>> {
  const since = new Date(now.getTime() - dayMs)
  const [count] = queryId === undefined ? [] : await countsOf(db, subject, [queryId], since)
  const tables = new Set(scans.map(({ table, columns }) => `missing-index:${table}(${columns.join(',')})`))
  const isAbout = (key: string, queryIds: readonly string[]) =>
    tables.has(key) || (queryId !== undefined && queryIds.includes(queryId))
  const rows = tables.size === 0 && queryId === undefined ? [] : await selectAdvice(db, subject)
  return {
    history:
      count === undefined || count.calls === 0
        ? null
        : { calls: Math.round(count.calls), meanMs: count.meanMs ?? count.totalMs / count.calls },
    advice: rows
      .filter(
        ({ key, rule, content, endedAt, dismissedAt }) =>
          rule === 'missing-index' &&
          endedAt === null &&
          dismissedAt === null &&
          isAbout(key, content.queryIds),
      )
      .map(({ key, content }) => ({ key, title: content.title }))
      .slice(0, 20),
  }
}
