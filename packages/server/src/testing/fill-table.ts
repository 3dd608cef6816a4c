import type { Database } from '../platform/db/database.ts'

/** An SQL expression of each type that a column may demand a value of. */
const valueOf: Readonly<Record<string, string>> = {
  uuid: 'gen_random_uuid()',
  text: `'one'`,
  integer: '1',
  bigint: '1',
  boolean: 'false',
  'timestamp with time zone': 'now()',
  json: `'{}'`,
  jsonb: `'{}'`,
  bytea: `''`,
  ARRAY: `'{}'`,
}

/** Inserts a row of the organization, with a value for each column that demands one, where the table has none yet. */
export async function fillTable(database: Database, table: string, organizationId: number): Promise<void> {
  const found = await database.ownerPool.query(`select 1 from ${table} where organization_id = $1 limit 1`, [
    organizationId,
  ])
  if (found.rowCount !== 0) return
  const { rows } = await database.ownerPool.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_nullable = 'NO' and column_default is null
       and is_identity = 'NO' and column_name <> 'organization_id'`,
    [table],
  )
  const names = ['organization_id', ...rows.map(({ name }) => name)]
  const values = ['$1', ...rows.map(({ name, type }) => valueOf[type] ?? noValue(table, name, type))]
  await database.ownerPool.query(`insert into ${table} (${names.join()}) values (${values.join()})`, [
    organizationId,
  ])
}

function noValue(table: string, name: string, type: string): never {
  throw new Error(`Insert a row of ${table} in one-row-of-each.ts: nothing is known for ${name} (${type}).`)
}
