import type { EndpointName } from '@bey/contract'
import { routes } from '@bey/contract'
import type { Client } from '@bey/client'
import { CommandError } from './errors.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** What identifies a thing already, so that it need not be looked up. */
function isId(text: string): boolean {
  return /^\d+$/.test(text) || uuid.test(text)
}

export type Named = { id: string | number; name: string }

/** Rows of `<noun>.list` whose names begin with a text, or contain it; at most 200. Empty where a noun has no list. */
export async function findNamed(
  client: Client,
  noun: string,
  text: string,
  signal?: AbortSignal,
): Promise<Named[]> {
  const name = `${noun}.list`
  if (!Object.hasOwn(routes, name)) return []
  const list = name as EndpointName
  const ask = async (query: object) => {
    // Which list it is is known only now; each takes these or refuses them.
    const input = { query } as never
    const reply: unknown = await client.call(list, input, signal ? { signal } : {})
    return rowsIn(reply)
  }
  try {
    return await ask({ limit: 200, search: text })
  } catch {
    return ask({})
  }
}

function rowsIn(reply: unknown): Named[] {
  if (typeof reply !== 'object' || reply === null) return []
  const rows: unknown[] = Object.values(reply).find((value) => Array.isArray(value)) ?? []
  return rows.flatMap((row) => {
    if (typeof row !== 'object' || row === null || !('id' in row)) return []
    const { id } = row
    const name = 'name' in row ? row.name : 'title' in row ? row.title : undefined
    const isNamed = typeof name === 'string' && (typeof id === 'string' || typeof id === 'number')
    return isNamed ? [{ id, name }] : []
  })
}

/** The id of a thing by its id or its name. Throws CommandError for a name that none or several have. */
export async function idOf(
  client: Client,
  noun: string,
  text: string,
  signal?: AbortSignal,
): Promise<string | number> {
  if (isId(text) || !Object.hasOwn(routes, `${noun}.list`)) return text
  const rows = await findNamed(client, noun, text, signal)
  const exact = rows.filter(({ name }) => name === text)
  if (exact.length === 1 && exact[0]) return exact[0].id
  if (exact.length > 1) {
    const ids = exact.map(({ id }) => String(id)).join(', ')
    throw new CommandError(`Several of the ${noun} are called "${text}": ${ids}. Use the id.`)
  }
  // Ids of some nouns are neither numbers nor UUIDs.
  if (rows.some(({ id }) => String(id) === text)) return text
  const near = rows.slice(0, 5).map(({ name }) => name)
  const hint = near.length > 0 ? ` There are ${near.join(', ')}.` : ` See bey ${noun} list.`
  throw new CommandError(`There is no "${text}" among the ${noun}.${hint}`)
}
