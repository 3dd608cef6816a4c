import { Client, type DatabaseError } from 'pg'
import type Cursor from 'pg-cursor'
import { z } from 'zod'

import { StatementCursor } from '../../../../platform/db/statement-cursor.ts'
import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import { GuardedSocket } from '../../../../platform/outbound/guarded-socket.ts'
import type { Outbound } from '../../../../platform/outbound/outbound.ts'
import { auditedStatement } from '../../../../platform/audit/audited-statement.ts'
import { audited } from '../audited.ts'
import { guaranteedBy } from '../guarantee.ts'
import type { StepParts } from '../ports.ts'
import { actorOf } from '../run-actor.ts'
import type { ActionContext, ActionStepType } from '../step-type.ts'

const parameter = z.union([z.string(), z.number(), z.boolean(), z.null()])

const fields = z.strictObject({
  database: z.string().min(1).max(200).optional().meta({
    title: 'Database',
    description: 'Name or id of a database of this organization.',
    'x-widget': 'database',
  }),
  connection: z.string().min(1).max(4_000).optional().meta({
    title: 'Connection',
    description:
      'In place of a database: the address of a PostgreSQL, as a secret: {{ secrets.database_url }}.',
    'x-widget': 'secret',
  }),
  query: z.string().min(1).max(100_000).meta({
    title: 'Statement',
    description: 'One statement; values stand as $1, $2 … and are given as parameters.',
    'x-widget': 'sql',
    'x-literal': true,
  }),
  parameters: z.array(parameter).max(100).default([]).meta({ title: 'Parameters', 'x-widget': 'list' }),
  read_only: z.boolean().default(true).meta({
    title: 'Read only',
    description: 'The database itself refuses changes.',
  }),
  max_rows: z.number().int().min(1).max(10_000).default(1_000).meta({ title: 'At most rows' }),
  timeout_ms: z
    .number()
    .int()
    .min(100)
    .max(600_000)
    .default(30_000)
    .meta({ title: 'Time limit', 'x-widget': 'duration' }),
})
const config = fields.superRefine(({ database, connection }, context) => {
  if ((database === undefined) !== (connection === undefined)) return
  context.addIssue({
    code: 'custom',
    path: ['database'],
    message:
      database === undefined
        ? 'Name a database, or give a connection.'
        : 'Name a database or give a connection, not both.',
  })
})
type Config = z.output<typeof config>
type SqlParts = Pick<StepParts, 'database' | 'outbound' | 'openDatabase'>

const rowsAtOnce = 100
/** Of all rows as JSON, so that the output has room for them. */
const maxBytes = 900_000

type Result = {
  rows: Record<string, unknown>[]
  row_count: number
  columns: string[]
  truncated: boolean
}

export function sql(parts: SqlParts): ActionStepType<typeof config> {
  return {
    kind: 'action',
    type: 'sql',
    label: 'SQL statement',
    group: 'Data',
    icon: 'database',
    description: 'Executes one statement in a PostgreSQL database.',
    guaranteeNote:
      'Reading is repeatable. A statement that changes data is in a transaction of its own, whose end a crash may hide.',
    config,
    example: {
      database: 'orders',
      query: 'select id, name from users where created_at > $1',
      parameters: ['{{ inputs.since }}'],
    },
    output: {
      type: 'object',
      properties: {
        rows: { type: 'array', items: { type: 'object' } },
        row_count: { type: 'integer' },
        columns: { type: 'array', items: { type: 'string' } },
        truncated: { type: 'boolean', description: 'There are more rows than the limit.' },
      },
    },
    test: 'real_only',
    guarantee: guaranteedBy(
      config,
      [{ field: 'read_only', values: [true], guarantee: 'at_least_once_keyed' }],
      'at_least_once',
    ),
    execute: async (context, given) => {
      context.signal.throwIfAborted()
      const { database, connection } = given
      if (database !== undefined) return inDatabase(parts, context, given, database)
      const client = clientOf(parts.outbound, given, connection ?? '')
      return executeStatement(client, context, given, () => client.connect())
    },
  }
}

/** Executes in a database of the organization, in the name of the person who started the run. */
async function inDatabase(
  parts: SqlParts,
  context: ActionContext,
  given: Config,
  name: string,
): Promise<Result> {
  const { run, mask } = context
  const permission = given.read_only ? 'databases.query' : 'databases.execute'
  const actor = await actorOf(parts.database, run, permission)
  const { client, target } = await parts.openDatabase(run.organizationId, name, given.read_only)
  const act = {
    action: given.read_only ? 'database.query' : 'database.execute',
    class: given.read_only ? 'read' : 'execute',
    target,
    diff: { statement: auditedStatement(given.query) },
  } as const
  return audited(parts.database, run, actor, act, mask, () =>
    executeStatement(client, context, given, async () => undefined),
  )
}

async function executeStatement(
  client: Client,
  context: ActionContext,
  given: Config,
  connect: () => Promise<unknown>,
): Promise<Result> {
  const { signal } = context
  // A cursor whose connection ends behind its last row is never answered, so neither of these waits for the client.
  const cut = Promise.withResolvers<never>()
  const timer = setTimeout(() => cut.reject(tooLate()), given.timeout_ms + 2_000)
  const abort = () => cut.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  // A lost connection also fails the query that is under way.
  client.on('error', () => undefined)
  try {
    const result = await Promise.race([connect().then(() => inTransaction(client, given)), cut.promise])
    context.log(`${result.row_count} rows${result.truncated ? ', and there are more' : ''}`)
    return result
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw failureOf(error, context.mask(given.query) !== given.query)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    client.end().catch(() => undefined)
  }
}

async function inTransaction(client: Client, given: Config): Promise<Result> {
  await client.query(given.read_only ? 'begin read only' : 'begin')
  await client.query(`set local statement_timeout = ${given.timeout_ms}`)
  const result = await readRows(client, given)
  await client.query('commit')
  return result
}

function tooLate(cause?: unknown): StepFailure {
  return new StepFailure('The statement was not ready within its time limit.', { cause, reason: 'timeout' })
}

function clientOf(outbound: Outbound, { timeout_ms: timeoutMs }: Config, connection: string): Client {
  if (!/^postgres(ql)?:\/\//.test(connection) || !URL.canParse(connection)) {
    throw new StepFailure('The connection is not an address that begins with postgres://.')
  }
  return new Client({
    connectionString: connection,
    connectionTimeoutMillis: Math.min(timeoutMs, 15_000),
    application_name: 'bey-workflow',
    stream: () => new GuardedSocket(outbound),
  })
}

async function readRows(client: Client, { query, parameters, max_rows: maxRows }: Config): Promise<Result> {
  const cursor = client.query(new StatementCursor<Record<string, unknown>>(query, [...parameters]))
  const rows: Record<string, unknown>[] = []
  let bytes = 0
  let truncated = false
  let changed = 0
  let columns: string[] = []
  while (!truncated) {
    const { batch, fields, rowCount } = await readBatch(cursor)
    changed = rowCount
    columns = fields.length > 0 ? fields : columns
    for (const row of batch) {
      const text = JSON.stringify(row)
      bytes += text.length
      truncated ||= rows.length >= maxRows || bytes > maxBytes
      // As JSON has them: dates become texts, bytes a Buffer’s form.
      if (!truncated) rows.push(JSON.parse(text) as Record<string, unknown>)
    }
    if (batch.length < rowsAtOnce) break
  }
  await cursor.close()
  return { rows, row_count: rows.length > 0 ? rows.length : changed, columns, truncated }
}

function readBatch(cursor: Cursor<Record<string, unknown>>) {
  return new Promise<{ batch: Record<string, unknown>[]; fields: string[]; rowCount: number }>(
    (resolve, reject) => {
      cursor.read(rowsAtOnce, (error: Error | undefined, batch, result) => {
        if (error) return reject(error)
        const fields = (result.fields ?? []).map(({ name }) => name)
        resolve({ batch, fields, rowCount: result.rowCount ?? 0 })
      })
    },
  )
}

function failureOf(error: unknown, holdsSecret: boolean): StepFailure {
  if (error instanceof StepFailure) return error
  const { code = '', message } = error as { code?: string; message: string }
  if (code === '57014') return tooLate(error)
  if (code === '25006') {
    return new StepFailure('The statement changes data, and the step is read only.', { cause: error })
  }
  if (code === 'EOUTBOUND') return new StepFailure(`Not connected: ${message}.`, { cause: error })
  const isRefused = /^[0-9A-Z]{5}$/.test(code)
  // The message of a database quotes single words of the statement, which its author knows; of a secret no word may show.
  const refusal = holdsSecret ? unquoted(error as DatabaseError) : message
  return isRefused
    ? new StepFailure(`The database refuses the statement: ${refusal} (${code}).`, {
        ...(!holdsSecret && { cause: error }),
      })
    : new StepFailure('The database could not be reached, or the connection was lost.', {
        cause: error,
        reason: 'network',
      })
}

/** The message without what it quotes of the statement, and where that is. */
function unquoted({ message, position }: DatabaseError): string {
  const words = message.replaceAll(/"(?:[^"]|"")*"/g, '"…"')
  return position === undefined ? words : `${words} at character ${position}`
}
