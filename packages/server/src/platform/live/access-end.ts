import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../db/database.ts'

/** Channel of PostgreSQL that announces to every process that an access has ended. */
export const accessChannel = 'bey_access'

const accessEnd = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('session'), id: z.string() }),
  z.object({ kind: z.literal('user'), userId: z.number() }),
  z.object({ kind: z.literal('member'), organizationId: z.number(), userId: z.number() }),
  z.object({ kind: z.literal('organization'), organizationId: z.number() }),
  z.object({ kind: z.literal('token'), id: z.string() }),
  z.object({ kind: z.literal('key'), id: z.string() }),
  z.object({ kind: z.literal('keyChange'), keyId: z.string() }),
  z.object({ kind: z.literal('cluster'), clusterId: z.number() }),
])

/**
 * The end of an access, whereupon what is open by it ends in every process: a session (log-out), all sessions of
 * a user, a membership or its role, the policies of an organization (both looked at again), a kubeconfig token, a secret
 * of an API key, where and how an API key may be used (looked at again), a cluster.
 */
export type AccessEnd = z.infer<typeof accessEnd>

/** Notifies every process, this one included, when the caller's transaction commits. */
export async function endAccess(db: Db, ended: AccessEnd): Promise<void> {
  await db.execute(sql`select pg_notify(${accessChannel}, ${JSON.stringify(ended)})`)
}

/** Undefined for what is none, such as what a newer version may send. */
export function parseAccessEnd(payload: string): AccessEnd | undefined {
  return accessEnd.safeParse(JSON.parse(payload)).data
}
