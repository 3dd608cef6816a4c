import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'

import { signCheckpoints } from '../../platform/audit/checkpoints.ts'
import { linkAudit } from '../../platform/audit/linker.ts'
import { auditRecord, recordColumns, type RecordRow } from '../../platform/audit/record.ts'
import type { SigningKey } from '../../platform/audit/signing-key.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { listCheckpoints } from './checkpoint-list.ts'
import { type AuditFilter, matching } from './filter.ts'

const positionsAtOnce = 1_000

type ProofParts = { database: Pick<Database, 'readTenant' | 'asSystem'>; signingKey: SigningKey }

/** The part of the chain that a proof shows: the matching entries by their numbers, and where it begins and ends. */
export type Proof = { sequences: ReadonlySet<number>; first: number; last: number }

/**
 * The part of the chain from the first entry that matches to the first signed checkpoint after the last one. Signs the end
 * of the chain before, so that there is such a checkpoint. `limit` bounds the entries that match.
 */
export async function findProof(
  { database, signingKey }: ProofParts,
  organizationId: number,
  filter: AuditFilter,
  { now, limit }: { now: Date; limit: number },
): Promise<Proof> {
  await linkAudit(database)
  // A chain that does not fit stays unsigned, which the file then shows.
  await signCheckpoints(database, signingKey, now, () => undefined, organizationId)
  return database.readTenant(organizationId, async (db) => {
    const keys = await matching(db, organizationId, filter, { limit, isComplete: true })
    const { rows } = await db.execute<{ sequence: string; position: string }>(sql`
      select k.seq as sequence, l.position from (${keys}) k
      join audit_links l on l.organization_id = ${organizationId} and l.entry_seq = k.seq`)
    const positions = rows.map(({ position }) => Number(position))
    const first = positions.reduce((one, other) => Math.min(one, other), Number.MAX_SAFE_INTEGER)
    const lastEntry = positions.reduce((one, other) => Math.max(one, other), 0)
    const last = await signedAfter(db, organizationId, lastEntry)
    return { sequences: new Set(rows.map(({ sequence }) => Number(sequence))), first, last }
  })
}

async function signedAfter(db: Db, organizationId: number, position: number): Promise<number> {
  const { rows } = await db.execute<{ position: string | null }>(sql`
    select min(position) as position from audit_checkpoints
    where organization_id = ${organizationId} and position >= ${position} and kind = 'hourly'`)
  return Number(rows[0]?.position ?? position)
}

/**
 * JSON lines that `verify-audit.mjs` of the console checks without this server: the public keys, then the chain with the
 * entries that match and the bare links of the others, then the signed checkpoints of that part.
 */
export function proofFile(
  { database, signingKey }: ProofParts,
  organizationId: number,
  filter: AuditFilter,
  { sequences, first, last }: Proof,
): Readable {
  async function* lines() {
    const publicKeys = [...signingKey.publicKeys].map(([id, pem]) => ({ id, pem }))
    const filters = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
    yield line({ kind: 'proof', version: 1, organizationId, filters, entries: sequences.size, publicKeys })
    for (let after = first - 1; after < last; after += positionsAtOnce) {
      const through = Math.min(last, after + positionsAtOnce)
      const rows = await database.readTenant(organizationId, async (db) => {
        const found = await db.execute<RecordRow>(sql`
          select ${recordColumns} from audit_links l
          join audit_entries e on e.organization_id = l.organization_id and e.seq = l.entry_seq
          where l.organization_id = ${organizationId} and l.position > ${after} and l.position <= ${through}
          order by l.position`)
        return found.rows
      })
      yield rows.map((row) => line(proofLine(row, sequences))).join('')
    }
    for (let before: number | null = last + 1; before !== null;) {
      const at: number = before
      const page = await database.readTenant(organizationId, (db) =>
        listCheckpoints(db, organizationId, signingKey, { before: at, limit: 200 }),
      )
      const within = page.checkpoints.filter(({ position }) => position >= first)
      yield within.map(({ kind, ...rest }) => line({ kind: 'checkpoint', of: kind, ...rest })).join('')
      before = within.length < page.checkpoints.length ? null : page.nextCursor
    }
  }
  return Readable.from(lines(), { objectMode: false })
}

function proofLine(row: RecordRow, sequences: ReadonlySet<number>): object {
  const { number, proof, ...entry } = auditRecord(row)
  if (sequences.has(proof.sequence)) return { kind: 'entry', number, ...entry, proof }
  const { text: _text, ...link } = proof
  return { kind: 'link', number, proof: link }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`
}
