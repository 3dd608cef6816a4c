import { and, desc, eq, lt } from 'drizzle-orm'

import { signedText } from '../../platform/audit/checkpoints.ts'
import type { SigningKey } from '../../platform/audit/signing-key.ts'
import type { Db } from '../../platform/db/database.ts'
import { auditCheckpoints } from '../../tables/audit-checkpoints.ts'

/** Signed checkpoints as anyone who keeps a copy elsewhere needs them. */
export async function listCheckpoints(
  db: Db,
  organizationId: number,
  signingKey: SigningKey,
  { before, limit }: { before?: number | undefined; limit: number },
) {
  const rows = await db
    .select({
      organizationId: auditCheckpoints.organizationId,
      kind: auditCheckpoints.kind,
      position: auditCheckpoints.position,
      at: auditCheckpoints.at,
      hash: auditCheckpoints.hash,
      keyId: auditCheckpoints.keyId,
      signature: auditCheckpoints.signature,
    })
    .from(auditCheckpoints)
    .where(
      and(
        eq(auditCheckpoints.organizationId, organizationId),
        before === undefined ? undefined : lt(auditCheckpoints.position, before),
      ),
    )
    .orderBy(desc(auditCheckpoints.position), desc(auditCheckpoints.kind))
    .limit(limit)
  return {
    checkpoints: rows.map((row) => ({
      kind: row.kind,
      position: row.position,
      at: row.at.toISOString(),
      hash: row.hash.toString('hex'),
      keyId: row.keyId,
      signature: row.signature.toString('base64'),
      signedText: signedText(row),
    })),
    nextCursor: rows.length < limit ? null : (rows.at(-1)?.position ?? null),
    publicKeys: [...signingKey.publicKeys].map(([id, pem]) => ({ id, pem })),
  }
}
