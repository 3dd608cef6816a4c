import { type EngineFamily, insightLimits } from '@bey/contract'

import { targetOf } from '../look-at-external.ts'
import { monitorName } from '../open-connection.ts'
import { failureOf } from '../sql/open-session.ts'
import type { DatabaseRow } from '../store.ts'
import type { InsightParts } from './insight-parts.ts'

/**
 * Counts the statements of a server that is no PostgreSQL over a connection of its own, with the texts of those that are not
 * known yet. Throws AppError `database_unreachable` with the cause in words.
 */
export async function readWatchedStatements(
  { providers, credentials, clock }: Pick<InsightParts, 'providers' | 'credentials' | 'clock'>,
  row: DatabaseRow,
  family: Exclude<EngineFamily, 'postgres'>,
  known: ReadonlySet<string>,
) {
  const target = targetOf(row)
  const { organizationId, credentialSecretId: secret } = row
  if (target === undefined) throw new Error('An external database has an address')
  try {
    const password = secret === null ? null : (await credentials.read(organizationId, secret)).password
    const connection = await providers.watched[family].connect({ ...target, password }, monitorName)
    try {
      const found = await connection.countStatements(clock.now())
      if ('problem' in found) return found
      const texts = new Map(
        found.statements
          .filter(({ queryId }) => !known.has(queryId))
          .map(({ queryId, text, isCut }) => [
            queryId,
            {
              text: text.slice(0, insightLimits.statementText),
              isCut: isCut || text.length > insightLimits.statementText,
            },
          ]),
      )
      return { ...found, texts }
    } finally {
      await connection.end()
    }
  } catch (error) {
    throw failureOf(row.name, error)
  }
}
