import { randomUUID } from 'node:crypto'
import type { ParsedInput, SqlResult } from '@bey/contract'
import type { Client } from 'pg'

import { entryOf } from '../../../platform/act.ts'
import { auditRow, insertAudit } from '../../../platform/audit/audit.ts'
import { auditedStatement } from '../../../platform/audit/audited-statement.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { whyNotNow } from '../../../platform/keys/key-rights.ts'
import type { Who } from '../../secrets/parts.ts'
import type { DatabaseParts } from '../parts.ts'
import { databaseTarget, existing } from '../present.ts'
import { insertHistory } from '../queries/sql-history.ts'
import { type DatabaseRow, findDatabase } from '../store.ts'
import { historyAndAdvice } from '../insight/statement-past.ts'
import { bindKnown, bindParameters, withoutParameters } from './bind-parameters.ts'
import { estimatesInTurn } from './estimates-in-turn.ts'
import { estimateStatement } from './estimate-statement.ts'
import { executeStatement } from './execute-statement.ts'
import { explainStatement } from './explain-statement.ts'
import { failureOf, openSession, preparingName, sessionName, type SqlMode } from './open-session.ts'
import { readRelations } from './relations.ts'
import { requireHarmless } from './require-harmless.ts'

type Names = `databases.${'query' | 'execute' | 'explain' | 'estimate' | 'cancelQuery' | 'relations'}`
type Run = ParsedInput<'databases.query'>['body']

/** The SQL console: one statement at a time, in a session of its own. */
export function sqlHandlers(
  parts: DatabaseParts & {
    /** Called when a statement that may change the database has succeeded. */
    onExecuted: (row: DatabaseRow, statement: string) => Promise<void>
  },
): Handlers<Names> {
  const { database, clock } = parts
  const inTurn = estimatesInTurn()

  const find = (organizationId: number, id: string) =>
    database.readTenant(organizationId, async (db) => existing(await findDatabase(db, organizationId, id)))

  async function inSession<T>(
    row: DatabaseRow,
    mode: SqlMode,
    work: (client: Client) => Promise<T>,
  ): Promise<T> {
    const client = await openSession(parts, row, mode, preparingName)
    try {
      return await work(client)
    } catch (error) {
      throw failureOf(row.name, error)
    } finally {
      client.end().catch(() => undefined)
    }
  }

  /** Executes a statement after its intent is in the audit trail: what cannot be recorded is not done. */
  async function run(id: string, { queryId, parameters, ...body }: Run, mode: SqlMode, caller: Who) {
    const { organizationId } = caller
    const statement = bindParameters(body.statement, parameters)
    const row = await find(organizationId, id)
    const entry = entryOf(caller, {
      action: mode === 'read' ? 'database.query' : 'database.execute',
      class: mode === 'read' ? 'read' : 'execute',
      target: databaseTarget(row),
      diff: { statement: auditedStatement(body.statement) },
    })
    const intent = auditRow({ ...entry, outcome: 'unknown' })
    const write = (each: typeof intent) =>
      database.withTenant(organizationId, (db) => insertAudit(db, [each]))
    await write(intent)
    const executed = { databaseId: id, statement: body.statement, mode, at: clock.now() }
    const end = (outcome: 'success' | 'failure', result?: SqlResult) =>
      database.withTenant(organizationId, async (db) => {
        await insertHistory(db, caller, executed, result)
        await insertAudit(db, [auditRow({ ...entry, outcome, intentId: intent.id })])
      })
    const name = sessionName(queryId ?? randomUUID())
    try {
      const result = await inSession(row, mode, async (client) => {
        if (mode === 'read') await requireHarmless(client, row.name)
        return executeStatement(client, { ...body, statement, mode, name }, clock)
      })
      await end(result.error === null ? 'success' : 'failure', result)
      if (mode === 'write' && result.error === null) await parts.onExecuted(row, body.statement)
      return result
    } catch (error) {
      await end('failure')
      throw error
    }
  }

  return {
    'databases.query': ({ caller, params, body }) => run(params.id, body, 'read', caller),
    'databases.execute': ({ caller, params, body }) => run(params.id, body, 'write', caller),

    'databases.explain': async ({
      caller,
      params,
      body: { queryId = randomUUID(), parameters, ...body },
    }) => {
      // The generic plan is asked for statements of others, whose colons are none of ours.
      const statement = body.isGeneric
        ? withoutParameters(body.statement)
        : bindParameters(body.statement, parameters)
      const row = await find(caller.organizationId, params.id)
      return inSession(row, 'read', async (client) => {
        await requireHarmless(client, row.name)
        return explainStatement(client, { ...body, statement, name: sessionName(queryId) }, clock)
      })
    },

    'databases.estimate': async ({ caller, params, body: { mode, maxRows, ...body } }) => {
      const { organizationId } = caller
      const refusal = mode === 'write' ? whyNotNow(caller.role, 'databases.execute') : undefined
      if (refusal !== undefined) throw new AppError('forbidden', refusal)
      const statement = bindKnown(body.statement, body.parameters)
      const row = await find(organizationId, params.id)
      const estimated = await inTurn(row, () =>
        inSession(row, mode, async (client) => {
          if (mode === 'read') await requireHarmless(client, row.name)
          const isForAnyValues = statement.missing.length > 0
          return estimateStatement(client, { statement, isForAnyValues, maxRows })
        }),
      )
      const { queryId, scans, ...estimate } = estimated
      return database.readTenant(organizationId, async (db) => ({
        ...estimate,
        ...(await historyAndAdvice(db, row, { queryId, scans }, clock.now())),
      }))
    },

    'databases.cancelQuery': async ({ caller, params: { id, queryId } }) => {
      const row = await find(caller.organizationId, id)
      const name = sessionName(queryId)
      const cancel = async (client: Client) => {
        // The limit and the role keep this to sessions of the console: a queryId is a UUID that somebody chose.
        // A session between two statements would accept the request, and ignore it.
        const { rows } = await client.query<{ done: boolean }>(
          `select pg_cancel_backend(pid) as done from pg_stat_activity
           where application_name = $1 and state = 'active' and query not like 'set application_name%'`,
          [name],
        )
        return rows.some(({ done }) => done)
      }
      const asReader = await inSession(row, 'read', (client) =>
        cancel(client).catch((error: unknown) => {
          // A session of the owner is cancelled by its owner.
          if ((error as { code?: unknown }).code === '42501') return false
          throw error
        }),
      )
      if (asReader || row.provider !== 'embedded') return { isCancelled: asReader }
      return { isCancelled: await inSession(row, 'write', cancel) }
    },

    'databases.relations': async ({ caller, params }) => {
      const row = await find(caller.organizationId, params.id)
      return inSession(row, 'read', readRelations)
    },
  }
}
