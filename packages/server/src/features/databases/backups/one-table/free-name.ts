import type { Client } from 'pg'

const maxBytes = 63

/** A name as PostgreSQL keeps it, cut at its start so that the end fits. */
function fitting(name: string, end: string): string {
  let start = name
  while (Buffer.byteLength(start + end) > maxBytes) start = Array.from(start).slice(0, -1).join('')
  return start + end
}

/** Whether a schema has a table, index, sequence or view of this name, or a type. */
export async function isTaken(client: Client, schema: string, name: string): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2
     union all select 1 from pg_type t join pg_namespace n on n.oid = t.typnamespace where n.nspname = $1 and t.typname = $2`,
    [schema, name],
  )
  return rows.length > 0
}

/** `NAME_restored_HHMM`, with a number where that is taken. `moment`: its time of day in UTC is in the name. */
export async function freeName(client: Client, schema: string, name: string, moment: Date): Promise<string> {
  const time = moment.toISOString().slice(11, 16).replace(':', '')
  for (let number = 1; ; number += 1) {
    const candidate = fitting(name, `_restored_${time}${number === 1 ? '' : `_${number}`}`)
    // oxlint-disable-next-line no-await-in-loop -- the first that is free
    if (!(await isTaken(client, schema, candidate))) return candidate
  }
}

/** The name itself where it is free, else one with a number. */
export async function freeLike(client: Client, schema: string, name: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : fitting(name, `_${number}`)
    // oxlint-disable-next-line no-await-in-loop -- the first that is free
    if (!(await isTaken(client, schema, candidate))) return candidate
  }
}
