import type { TestApp } from '../app.ts'
import { oneRowOfEach } from '../one-row-of-each.ts'

/**
 * Another organization with a row in each table, whose texts for people hold the canary wherever the table allows it, and
 * with a secret whose value is the canary. Answers its id.
 */
export async function plantCanary({ database, given, ask }: TestApp, canary: string): Promise<number> {
  const { organizationId } = await oneRowOfEach(database, given)
  // Random bytes stand there, which no root key unwraps.
  await database.ownerPool.query('delete from organization_keys where organization_id = $1', [organizationId])
  const { token } = await given.user({ organizationId, role: 'OWNER' })
  const kept = await ask('POST', '/api/secrets', {
    token,
    organizationId,
    body: { name: 'canary', value: canary },
  })
  if (kept.status !== 201) throw new Error(kept.text)
  const { rows } = await database.ownerPool.query<{ table: string; column: string }>(
    `select c.table_name as "table", c.column_name as "column" from information_schema.columns c
     join information_schema.columns o on o.table_schema = 'public' and o.table_name = c.table_name
       and o.column_name = 'organization_id'
     where c.table_schema = 'public' and c.data_type = 'text'
       and c.column_name in ('name', 'title', 'message', 'text', 'description', 'question', 'note', 'summary', 'detail')`,
  )
  let planted = 0
  for (const { table, column } of rows) {
    const done = await database.ownerPool
      .query(`update "${table}" set "${column}" = $1 where organization_id = $2`, [canary, organizationId])
      // Of tables that are append-only, and of columns with closed values.
      .catch(() => undefined)
    planted += done?.rowCount ?? 0
  }
  if (planted < 10) throw new Error(`The canary stands in ${planted} rows only`)
  // Nothing is sent to the addresses of these rows.
  await database.ownerPool.query(
    `update webhooks set url = 'https://127.0.0.1:1/' where organization_id = $1`,
    [organizationId],
  )
  return organizationId
}
