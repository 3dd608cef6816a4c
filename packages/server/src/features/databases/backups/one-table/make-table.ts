import pg, { type Client } from 'pg'

import type { DefinedColumn, DefinedSequence, TableDefinition } from './table-definition.ts'
import { freeLike, isTaken } from './free-name.ts'

export type MadeTable = {
  schema: string
  name: string
  quoted: string
  /** The sequences of its columns, which go on where those of the copy were. */
  sequences: { quoted: string; from: DefinedSequence }[]
}

const id = pg.escapeIdentifier

/**
 * Makes an empty table of a definition under a name that is free, with its columns, defaults and sequences; what only slows
 * the copy of rows down comes later. In the transaction of the client.
 */
export async function makeTable(
  client: Client,
  definition: TableDefinition,
  name: string,
  log: (line: string) => void,
): Promise<MadeTable> {
  const { schema } = definition
  const { rows } = await client.query('select 1 from pg_namespace where nspname = $1', [schema])
  if (rows.length === 0) {
    await client.query(`create schema ${id(schema)}`)
    log(`The schema "${schema}" was gone and is made again.`)
  }
  const quoted = `${id(schema)}.${id(name)}`
  const serials = await makeSequences(client, definition)
  const columns = definition.columns.map((column) => columnOf(column, definition, serials))
  const options = definition.options.map((option) => {
    const [key = '', ...value] = option.split('=')
    return `${key} = ${pg.escapeLiteral(value.join('='))}`
  })
  await client.query(
    `create table ${quoted} (${columns.join(', ')})${options.length === 0 ? '' : ` with (${options.join(', ')})`}`,
  )
  for (const { quoted: sequence, from } of serials)
    await client.query(`alter sequence ${sequence} owned by ${quoted}.${id(from.column)}`)
  const identities = []
  for (const from of definition.sequences.filter(({ isIdentity }) => isIdentity)) {
    const found = await client.query<{ sequence: string }>(
      'select pg_get_serial_sequence($1, $2) as sequence',
      [quoted, from.column],
    )
    identities.push({ quoted: found.rows[0]?.sequence ?? '', from })
  }
  if (definition.comment !== null)
    await client.query(`comment on table ${quoted} is ${pg.escapeLiteral(definition.comment)}`)
  for (const column of definition.columns)
    if (column.comment !== null)
      await client.query(
        `comment on column ${quoted}.${id(column.name)} is ${pg.escapeLiteral(column.comment)}`,
      )
  return { schema, name, quoted, sequences: [...serials, ...identities] }
}

async function makeSequences(client: Client, { sequences }: TableDefinition) {
  const made: { quoted: string; from: DefinedSequence }[] = []
  for (const from of sequences.filter(({ isIdentity }) => !isIdentity)) {
    const quoted = `${id(from.schema)}.${id(await freeLike(client, from.schema, from.name))}`
    await client.query(`create sequence ${quoted} ${from.options}`)
    made.push({ quoted, from })
  }
  return made
}

function columnOf(
  { name, type, isNotNull, collation, expression, generated, identity }: DefinedColumn,
  { sequences }: TableDefinition,
  serials: MadeTable['sequences'],
): string {
  const parts = [id(name), type]
  if (collation !== null) parts.push(`collate ${collation}`)
  if (generated !== '')
    parts.push(`generated always as (${expression ?? ''}) ${generated === 's' ? 'stored' : 'virtual'}`)
  else if (identity !== '') {
    const options = sequences.find((each) => each.isIdentity && each.column === name)?.options
    parts.push(`generated ${identity === 'a' ? 'always' : 'by default'} as identity (${options ?? ''})`)
  } else if (expression !== null) parts.push(`default ${withSequences(expression, serials)}`)
  if (isNotNull) parts.push('not null')
  return parts.join(' ')
}

/** A default that counts on with the sequence that was made in the place of the one that it names. */
function withSequences(expression: string, serials: MadeTable['sequences']): string {
  return serials.reduce(
    (text, { quoted, from }) =>
      text.replaceAll(
        `${pg.escapeLiteral(from.quoted)}::regclass`,
        () => `${pg.escapeLiteral(quoted)}::regclass`,
      ),
    expression,
  )
}

/** Sets the sequences to where those of the copy were. */
export async function setSequences(client: Client, { sequences }: MadeTable): Promise<void> {
  for (const { quoted, from } of sequences)
    await client.query('select setval($1::regclass, $2::int8, $3)', [quoted, from.last, from.isCalled])
}

/** Adds keys, checks and indexes, under their own names where those are free. Foreign keys are `tie-table.ts`'s. */
export async function addConstraints(
  client: Client,
  table: MadeTable,
  definition: TableDefinition,
): Promise<void> {
  for (const { name, kind, definition: text } of definition.constraints) {
    if (kind === 'f') continue
    const isNamed = kind === 'c' || !(await isTaken(client, table.schema, name))
    await client.query(`alter table ${table.quoted} add ${isNamed ? `constraint ${id(name)} ` : ''}${text}`)
  }
  for (const { name, isUnique, rest } of definition.indexes) {
    const own = (await isTaken(client, table.schema, name)) ? '' : `${id(name)} `
    await client.query(`create ${isUnique ? 'unique ' : ''}index ${own}on ${table.quoted}${rest}`)
  }
  if (definition.replicaIdentity === 'f')
    await client.query(`alter table ${table.quoted} replica identity full`)
  if (definition.replicaIdentity === 'n')
    await client.query(`alter table ${table.quoted} replica identity nothing`)
}

/** Row security protects the copy as it protected the table: where it cannot be made, nothing is. */
export async function addPolicies(
  client: Client,
  { quoted }: MadeTable,
  definition: TableDefinition,
): Promise<void> {
  for (const { name, command, isPermissive, roles, using, check } of definition.policies) {
    const parts = [
      `create policy ${id(name)} on ${quoted} as ${isPermissive ? 'permissive' : 'restrictive'} for ${command}`,
      `to ${roles.join(', ')}`,
      ...(using === null ? [] : [`using (${using})`]),
      ...(check === null ? [] : [`with check (${check})`]),
    ]
    await client.query(parts.join(' '))
  }
  if (definition.hasRowSecurity) await client.query(`alter table ${quoted} enable row level security`)
  if (definition.forcesRowSecurity) await client.query(`alter table ${quoted} force row level security`)
}
