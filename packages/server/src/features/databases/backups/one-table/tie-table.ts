import pg, { type Client } from 'pg'

import type { MadeTable } from './make-table.ts'
import type { TableDefinition } from './table-definition.ts'

const id = pg.escapeIdentifier
/** Other tables are not held up for longer. */
const lockMs = 10_000

/** Executes a statement, or answers why the server refused it; the transaction goes on either way. */
async function attempt(client: Client, text: string): Promise<pg.DatabaseError | undefined> {
  await client.query('savepoint attempt')
  try {
    await client.query(text)
    await client.query('release savepoint attempt')
    return undefined
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
    await client.query('rollback to savepoint attempt')
    return error
  }
}

/** Gives the rights that roles had, and its owner, as far as those are there still. */
export async function grantRights(
  client: Client,
  { quoted }: MadeTable,
  definition: TableDefinition,
  log: (line: string) => void,
): Promise<void> {
  const { grants, owner, hasColumnGrants } = definition
  for (const { role, privilege, isGrantable } of grants) {
    const to = role === null ? 'public' : id(role)
    const refused = await attempt(
      client,
      `grant ${privilege} on ${quoted} to ${to}${isGrantable ? ' with grant option' : ''}`,
    )
    if (refused) log(`${privilege} was not granted to ${role ?? 'public'}: ${refused.message}.`)
  }
  if (hasColumnGrants) log('Rights on single columns were left out.')
  const { rows } = await client.query<{ user: string }>('select current_user as "user"')
  if (rows[0]?.user === owner) return
  const refused = await attempt(client, `alter table ${quoted} owner to ${id(owner)}`)
  if (refused) log(`It belongs to ${rows[0]?.user ?? ''}, not to ${owner}: ${refused.message}.`)
}

/**
 * Ties a table that is back under its own name to others again: foreign keys in both directions, and triggers. A key that rows
 * of today break is added for later rows alone; what cannot be added is logged and left out.
 */
export async function tieTable(
  client: Client,
  { quoted }: MadeTable,
  definition: TableDefinition,
  log: (line: string) => void,
): Promise<void> {
  await client.query(`set local lock_timeout = ${lockMs}`)
  const keys = [
    ...definition.constraints
      .filter(({ kind }) => kind === 'f')
      .map((key) => ({ on: quoted, name: key.name, text: key.definition })),
    ...(await missing(client, definition)).map((key) => ({
      on: key.quoted,
      name: key.constraint,
      text: key.definition,
    })),
  ]
  for (const { on, name, text } of keys) {
    const statement = `alter table ${on} add constraint ${id(name)} ${text}`
    const refused = await attempt(client, statement)
    if (refused === undefined) continue
    const later = refused.code === '23503' ? await attempt(client, `${statement} not valid`) : refused
    log(
      later === undefined
        ? `The foreign key ${name} of ${on} holds for later rows alone: ${refused.detail ?? refused.message}`
        : `The foreign key ${name} of ${on} was left out: ${later.message}.`,
    )
  }
  for (const { name, definition: text, state } of definition.triggers) {
    const refused =
      (await attempt(client, text)) ??
      (state === 'O'
        ? undefined
        : await attempt(client, `alter table ${quoted} ${triggerState(state)} ${id(name)}`))
    if (refused) log(`The trigger ${name} was left out: ${refused.message}.`)
  }
  const gone = await missingViews(client, definition.views)
  if (gone.length > 0)
    log(`Views that read it then and are not there now: ${gone.join(', ')}. Make them again.`)
}

export const triggerState = (state: 'O' | 'D' | 'A' | 'R') =>
  ({ O: 'enable trigger', D: 'disable trigger', A: 'enable always trigger', R: 'enable replica trigger' })[
    state
  ]

/** Foreign keys of other tables that went with it. */
async function missing(client: Client, { incoming }: TableDefinition) {
  const found = []
  for (const key of incoming) {
    const { rows } = await client.query<{ isTable: boolean; hasKey: boolean }>(
      `select to_regclass($1) is not null as "isTable", exists (select from pg_constraint
        where conrelid = to_regclass($1) and conname = $2) as "hasKey"`,
      [key.quoted, key.constraint],
    )
    if (rows[0]?.isTable && !rows[0].hasKey) found.push(key)
  }
  return found
}

async function missingViews(client: Client, views: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ view: string }>(
    'select v as view from unnest($1::text[]) v where to_regclass(v) is null',
    [views],
  )
  return rows.map(({ view }) => view)
}
