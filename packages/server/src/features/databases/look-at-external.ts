import { measureExternal } from './measure-external.ts'
import { createPasswordReader } from './password-of.ts'
import { problemText } from './problem-text.ts'
import type { ExternalTarget } from './provider.ts'
import type { Reports } from './report.ts'
import type { DatabaseRow } from './store.ts'
import type { WatchParts } from './watch-parts.ts'

/** How an external database is reached, without its password; undefined for one without an address. */
export function targetOf(row: DatabaseRow): Omit<ExternalTarget, 'password'> | undefined {
  const { engine, host, port, databaseName, username, tls, caPem } = row
  if (host === null || port === null) return undefined
  return { engine, host, port, databaseName, username, tls, caPem }
}

/** Asks the server of an external database whether it answers, and measures it. */
export function createExternalLook(parts: WatchParts, reports: Reports) {
  const { providers, clock } = parts

  const passwordOf = createPasswordReader(parts)

  return async function look(row: DatabaseRow): Promise<void> {
    const target = targetOf(row)
    if (target === undefined) return
    try {
      const password = await passwordOf(row)
      const before = row.status === 'available' ? row.figures : null
      const found = await measureExternal(providers, { ...target, password }, before, clock.now())
      await reports.answered(row, found)
    } catch (error) {
      await reports.silent(row, problemText(error))
    }
  }
}
