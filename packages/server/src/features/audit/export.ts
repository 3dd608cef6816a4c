import { Readable } from 'node:stream'
import { actorText, type AuditEntry } from '@bey/contract'
import { csvLine as csvText } from '../../platform/csv.ts'
import type { Database } from '../../platform/db/database.ts'
import type { AuditFilter } from './filter.ts'
import { presentEntry } from './present.ts'
import { type EntryRow, listEntries } from './store.ts'

export type AuditFormat = 'csv' | 'jsonl'

/** Of both, and of proofs, which are JSON lines. */
export const auditMediaTypes: Record<AuditFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
}

const rowsAtOnce = 500

const csvColumns = [
  'number',
  'at',
  'actor',
  'actorEmail',
  'actorId',
  'impersonatedBy',
  'action',
  'class',
  'target',
  'targetType',
  'targetId',
  'object',
  'outcome',
  'reason',
  'via',
  'ip',
  'userAgent',
  'requestId',
  'runId',
  'id',
  'diff',
] as const

/** Entries as a file, newest first, read in pages while it is sent; at most `limit` of them. */
export function auditFile(
  database: Pick<Database, 'readTenant'>,
  organizationId: number,
  filter: AuditFilter,
  { format, limit }: { format: AuditFormat; limit: number },
): Readable {
  async function* lines() {
    if (format === 'csv') yield `${csvColumns.join(',')}\r\n`
    let before: { at: Date; seq: number } | undefined
    for (let left = limit; left > 0;) {
      const page = { limit: Math.min(rowsAtOnce, left), isComplete: true, ...(before && { before }) }
      const rows = await database.readTenant(organizationId, (db) =>
        listEntries(db, organizationId, filter, page),
      )
      const last = rows.at(-1)
      if (last === undefined) return
      yield rows.map(format === 'csv' ? csvLine : jsonLine).join('')
      before = { at: new Date(last.at), seq: Number(last.seq) }
      left -= rows.length
      if (rows.length < page.limit) return
    }
  }
  return Readable.from(lines(), { objectMode: false })
}

function jsonLine(row: EntryRow): string {
  return `${JSON.stringify({ ...presentEntry(row), diff: row.diff ?? {} })}\n`
}

function csvLine(row: EntryRow): string {
  const entry: AuditEntry = presentEntry(row)
  const { actor, target, impersonatedBy, ...plain } = entry
  const values: Record<(typeof csvColumns)[number], unknown> = {
    ...plain,
    actor: actor.name,
    actorEmail: actor.email,
    actorId: actor.id,
    impersonatedBy: impersonatedBy && actorText(impersonatedBy),
    target: target?.name,
    targetType: target?.type,
    targetId: target?.id,
    diff: row.diff === null ? '' : JSON.stringify(row.diff),
  }
  return csvText(csvColumns.map((column) => textOf(values[column])))
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'number' ? String(value) : `${value as string}`
}
