import type { GlobalFlags } from '../arguments.ts'
import { UsageError } from '../errors.ts'
import type { Terminal } from '../terminal.ts'
import { factsOf, tableOf } from './table.ts'
import { yamlOf } from './yaml.ts'

/** How a reply is shown to people. */
export type Shape = { list?: string | undefined; columns: readonly string[]; empty?: string }

export type Format = 'table' | 'json' | 'yaml'

/** Throws UsageError for a format that there is not. */
export function formatOf({ json, output, jq }: GlobalFlags): Format {
  if (jq !== undefined) {
    if (output !== undefined && output !== 'json') throw new UsageError(`--jq prints JSON, not ${output}.`)
    return 'json'
  }
  if (json !== undefined) return 'json'
  if (output === undefined) return 'table'
  if (output === 'table' || output === 'json' || output === 'yaml') return output
  throw new UsageError(`-o takes table, json or yaml, not "${output}".`)
}

/** Prints a reply in the format that was asked for: the one place through which results go. */
export function printReply(terminal: Terminal, reply: unknown, flags: GlobalFlags, shape: Shape): void {
  const format = formatOf(flags)
  const fields = (flags.json ?? '').split(',').filter((field) => field !== '')
  const shown = fields.length === 0 ? reply : selectFields(reply, fields, shape.list)
  if (flags.filter) return printFiltered(terminal, flags.filter(shown))
  if (format === 'json') return terminal.out(`${JSON.stringify(shown, null, 2)}\n`)
  if (format === 'yaml') return terminal.out(yamlOf(shown))
  terminal.out(`${textOf(reply, shape, terminal)}\n`)
}

/** As `jq -r` prints it: texts bare, so that a shell can take them, and everything else as JSON. */
export function printFiltered(terminal: Terminal, results: readonly unknown[]): void {
  for (const each of results)
    terminal.out(`${typeof each === 'string' ? each : JSON.stringify(each, null, 2)}\n`)
}

function textOf(reply: unknown, shape: Shape, terminal: Terminal): string {
  const options = { width: terminal.columns, hasColor: terminal.hasColor, now: Date.now() }
  if (reply === null || reply === undefined) return 'Done.'
  if (typeof reply !== 'object') return typeof reply === 'string' ? reply : JSON.stringify(reply)
  const rows = Array.isArray(reply) ? reply : shape.list === undefined ? undefined : rowsOf(reply, shape.list)
  if (!rows) return factsOf(innerOf(reply), options)
  if (rows.length === 0) return shape.empty ?? 'Nothing to list.'
  const table = tableOf(rows, shape.columns.length > 0 ? shape.columns : Object.keys(rows[0] ?? {}), options)
  const total = 'total' in reply && typeof reply.total === 'number' ? reply.total : rows.length
  return total > rows.length
    ? `${table}\n\n${rows.length} of ${total}. Add --page or --limit to see others.`
    : table
}

function rowsOf(reply: object, list: string): Record<string, unknown>[] | undefined {
  const rows = (reply as Record<string, unknown>)[list]
  return Array.isArray(rows) ? rows : undefined
}

/** The thing itself where a reply only wraps it: `{ secret: { … } }`. */
function innerOf(reply: object): Record<string, unknown> {
  const values: unknown[] = Object.values(reply)
  const [only] = values
  const isWrapped = values.length === 1 && typeof only === 'object' && only !== null && !Array.isArray(only)
  // Any object of JSON can be read by its keys.
  return (isWrapped ? only : reply) as Record<string, unknown>
}

/** Only some fields: of each row of a list, else of the object. Throws UsageError for one that is nowhere. */
function selectFields(reply: unknown, fields: readonly string[], list: string | undefined): unknown {
  if (typeof reply !== 'object' || reply === null) return reply
  const rows = Array.isArray(reply) ? reply : list === undefined ? undefined : rowsOf(reply, list)
  const all = rows ?? [innerOf(reply)]
  const known = new Set(all.flatMap((row) => Object.keys(row as object)))
  const missing = all.length > 0 ? fields.find((field) => !known.has(field)) : undefined
  if (missing !== undefined)
    throw new UsageError(`There is no field "${missing}". There are ${[...known].join(', ')}.`)
  const picked = all.map((row) =>
    Object.fromEntries(fields.map((field) => [field, (row as Record<string, unknown>)[field]])),
  )
  return rows ? picked : picked[0]
}
