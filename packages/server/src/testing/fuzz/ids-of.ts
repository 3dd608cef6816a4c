import type { Pool } from 'pg'
import type { IdsFor } from './request-of.ts'
import type { Ids } from './valid-value.ts'

export type StoredIds = { ids: Ids; idsFor: IdsFor }

/** Up to 20 ids of each table of an organization, by what the path says they are. */
export async function idsOf(pool: Pool, organizationId: number): Promise<StoredIds> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name in ('id', 'organization_id')
     group by table_name having count(*) = 2 order by table_name`,
  )
  const stored = new Map<string, string[]>()
  for (const { name } of tables) {
    const { rows } = await pool.query<{ id: string }>(
      `select id::text from "${name}" where organization_id = $1 order by id desc limit 20`,
      [organizationId],
    )
    if (rows.length > 0)
      stored.set(
        name,
        rows.map(({ id }) => id),
      )
  }
  const { rows: people } = await pool.query<{ id: string }>(
    `select user_id::text as id from memberships where organization_id = $1 order by user_id desc limit 20`,
    [organizationId],
  )
  stored.set(
    'members',
    people.map(({ id }) => id),
  )
  const ids = sorted([...stored.values()].flat())
  return {
    ids,
    idsFor(pathBefore) {
      const words = pathBefore
        .split('/')
        .filter((word) => /^[a-z-]+$/.test(word))
        .map((word) => word.replaceAll('-', '_'))
      const last = words.at(-1) ?? ''
      const found = [...stored].filter(([name]) => name === last || name.endsWith(`_${last}`))
      return found.length > 0 ? sorted(found.flatMap(([, each]) => each)) : ids
    },
  }
}

function sorted(all: readonly string[]): Ids {
  return {
    numeric: all.filter((id) => /^\d+$/.test(id)),
    uuid: all.filter((id) => /^[0-9a-f-]{36}$/.test(id)),
  }
}
