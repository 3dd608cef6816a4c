import { createHash } from 'node:crypto'
import type { Endpoint } from '@bey/contract'
import { api } from '@bey/contract/api'
import type { Call } from './call.ts'
import { endpointName, type Kind } from './kinds.ts'

type Row = Readonly<Record<string, unknown>>

/** One thing as it is now, in the form of a document. */
export type Thing = {
  id: string | number
  name: string
  spec: Record<string, unknown>
  /** What an update sends back; undefined where rows have no version. */
  version: unknown
  /** Changes with every change of the thing. */
  revision: string
}

/** Of what is not there. */
export const noRevision = 'absent'
const pageSize = 200
/** Pages that are looked through for the names of documents. */
const maxPages = 50

/** Rows of one page of a kind that files can describe, and whether there may be more. */
export async function rowsOf(call: Call, kind: Kind, page = 1): Promise<{ rows: Row[]; hasMore: boolean }> {
  const name = endpointName(`${kind.rule.noun}.list`)
  const { query }: Endpoint = api[name]
  const isPaged = query !== undefined && 'page' in query.shape
  const reply = await call(name, isPaged ? { query: { page, limit: pageSize } } : {})
  // A list is named for its rows, which have ids.
  const rows = (Object.values(reply).find((value) => Array.isArray(value)) ?? []) as Row[]
  const isBuiltIn = kind.rule.isBuiltIn as ((row: Row) => boolean) | undefined
  return { rows: rows.filter((row) => !isBuiltIn?.(row)), hasMore: isPaged && rows.length === pageSize }
}

/** The things of a kind that have one of some names. */
export async function findThings(
  call: Call,
  kind: Kind,
  names: ReadonlySet<string>,
): Promise<Map<string, Thing>> {
  const found = new Map<string, Thing>()
  for (let page = 1; page <= maxPages && found.size < names.size; page += 1) {
    const { rows, hasMore } = await rowsOf(call, kind, page)
    for (const row of rows) {
      const name = String(row[kind.nameField])
      if (names.has(name)) found.set(name, await thingOf(call, kind, row))
    }
    if (!hasMore) break
  }
  return found
}

/** A row in the form of a document; asks for its details where rows lack fields. */
export async function thingOf(call: Call, kind: Kind, row: Row): Promise<Thing> {
  const { rule, fields, nameField } = kind
  const id = row['id'] as string | number
  const whole = rule.detail ? await detailOf(call, kind, id) : row
  const specOf = rule.specOf as ((row: Row) => Row) | undefined
  const all: Row = { ...whole, ...specOf?.(whole) }
  const spec = Object.fromEntries(
    fields.filter((field) => all[field] !== undefined).map((field) => [field, all[field]]),
  )
  const version = rule.version && (row[rule.version.field] ?? whole[rule.version.field])
  const revision = createHash('sha256')
    .update(JSON.stringify([id, version, spec]))
    .digest('base64url')
  return { id, name: String(row[nameField]), spec, version, revision }
}

async function detailOf(call: Call, { rule }: Kind, id: string | number): Promise<Row> {
  const { endpoint = '', params = {}, property } = rule.detail ?? {}
  const reply = await call(endpointName(endpoint), { params: { ...params, id } })
  return property === undefined ? reply : (reply[property] as Row)
}
