import { and, asc, eq, sql } from 'drizzle-orm'

import { auditLinks } from '../../tables/audit-chain.ts'
import { auditCheckpoints } from '../../tables/audit-checkpoints.ts'
import type { Database, Db } from '../db/database.ts'
import { isSignedBy, type SigningKey } from './signing-key.ts'
import { verifyAudit } from './verify.ts'

type Checkpoint = {
  organizationId: number
  kind: 'hourly' | 'removed'
  position: number
  at: Date
  hash: Buffer
}

/** What a checkpoint's signature covers, line by line; exported with it, so that anybody can check it. */
export function signedText({ organizationId, kind, position, at, hash }: Checkpoint): string {
  return [
    'bey-audit-checkpoint',
    organizationId,
    kind,
    position,
    at.toISOString(),
    hash.toString('hex'),
  ].join('\n')
}

/** Signs a state of a chain, in the caller's transaction as the system. */
export async function signCheckpoint(db: Db, key: SigningKey, checkpoint: Checkpoint): Promise<void> {
  const signature = key.sign(signedText(checkpoint))
  await db
    .insert(auditCheckpoints)
    .values({ ...checkpoint, keyId: key.id, signature })
    .onConflictDoNothing()
}

/** Called with a chain that does not fit what follows its last checkpoint. */
export type OnBrokenChain = (fault: { organizationId: number; position: number; problem: string }) => void

/**
 * Signs the end of every chain that has grown since its last checkpoint, if what was added fits. Several processes may do
 * so at once.
 */
export async function signCheckpoints(
  database: Pick<Database, 'asSystem'>,
  key: SigningKey,
  now: Date,
  onBroken: OnBrokenChain,
  /** Of one organization alone. */
  only?: number,
): Promise<void> {
  const { rows } = await database.asSystem('find audit chains to sign', (db) =>
    db.execute<{ organization_id: number; signed: string }>(sql`
      select h.organization_id, coalesce(c.position, 0) as signed
      from audit_heads h
      left join lateral (
        select max(position) as position from audit_checkpoints c where c.organization_id = h.organization_id
      ) c on true
      where h.seq > coalesce(c.position, 0) and (${only ?? null}::int is null or h.organization_id = ${only ?? null})`),
  )
  for (const { organization_id: organizationId, signed } of rows) {
    await database.asSystem('sign audit chains', async (db) => {
      const head = await db.execute<{ seq: string; hash: Buffer }>(
        sql`select seq, hash from audit_heads where organization_id = ${organizationId} for share`,
      )
      const [end] = head.rows
      if (end === undefined) return
      const verdict = await verifyAudit(db, organizationId, Number(signed))
      if (!verdict.isIntact) return onBroken({ organizationId, ...verdict })
      const position = Number(end.seq)
      await signCheckpoint(db, key, { organizationId, kind: 'hourly', position, at: now, hash: end.hash })
    })
  }
}

type CheckpointVerdict = {
  newest: { at: Date; keyId: string } | undefined
  fault: { position: number; problem: string } | undefined
}

/** Compares an organization's checkpoints with the links at their positions. The first that does not fit is answered. */
export async function checkCheckpoints(
  db: Db,
  organizationId: number,
  publicKeys: ReadonlyMap<string, string>,
): Promise<CheckpointVerdict> {
  const rows = await db
    .select({
      organizationId: auditCheckpoints.organizationId,
      kind: auditCheckpoints.kind,
      position: auditCheckpoints.position,
      at: auditCheckpoints.at,
      hash: auditCheckpoints.hash,
      keyId: auditCheckpoints.keyId,
      signature: auditCheckpoints.signature,
      linked: auditLinks.hash,
    })
    .from(auditCheckpoints)
    .leftJoin(
      auditLinks,
      and(
        eq(auditLinks.organizationId, auditCheckpoints.organizationId),
        eq(auditLinks.position, auditCheckpoints.position),
      ),
    )
    .where(eq(auditCheckpoints.organizationId, organizationId))
    .orderBy(asc(auditCheckpoints.position))
  const start = Math.max(0, ...rows.filter(({ kind }) => kind === 'removed').map(({ position }) => position))
  let newest: CheckpointVerdict['newest']
  for (const row of rows) {
    const problem = problemOf(row, start, publicKeys)
    if (problem !== undefined) return { newest, fault: { position: row.position, problem } }
    newest = { at: row.at, keyId: row.keyId }
  }
  return { newest, fault: undefined }
}

type Row = Checkpoint & { keyId: string; signature: Buffer; linked: Buffer | null }

function problemOf(row: Row, start: number, publicKeys: ReadonlyMap<string, string>): string | undefined {
  const publicPem = publicKeys.get(row.keyId)
  const day = row.at.toISOString()
  if (publicPem === undefined || !isSignedBy(publicPem, signedText(row), row.signature)) {
    return row.kind === 'removed'
      ? 'Entries up to it were removed without a valid signature'
      : `The signed checkpoint of ${day} was changed`
  }
  if (row.position <= start) return undefined
  if (row.linked === null) return `The signed checkpoint of ${day} names it, and it is missing`
  return row.linked.equals(row.hash)
    ? undefined
    : `The chain was written again after the signed checkpoint of ${day}`
}
