import { credentialName } from '@bey/contract'
import { and, eq, isNull } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { databases } from '../../../tables/databases.ts'
import { secrets } from '../../../tables/secrets.ts'
import { type DatabaseRow, updateDatabase } from '../store.ts'
import { findPolicy, storePolicy } from './policy.ts'

/**
 * Gives a copy the name, address, password and backup policy of the old database, in one transaction. The old one keeps the
 * password, which its files have, under another name.
 */
export async function exchange(db: Db, old: DatabaseRow, copy: DatabaseRow, at: Date): Promise<string> {
  const { organizationId, name } = old
  const oldName = await freeName(db, organizationId, name, at)
  await updateDatabase(db, organizationId, old.id, {
    name: oldName,
    port: copy.port,
    // Who reaches the address reaches the copy from now on.
    allowList: copy.allowList,
  })
  await updateDatabase(db, organizationId, copy.id, {
    name,
    port: old.port,
    allowList: old.allowList,
    credentialSecretId: old.credentialSecretId,
    // Its server gets the password of the secret with its start.
    credentialVersion: null,
  })
  await exchangePolicies(db, old, copy)
  return oldName
}

/** Reverses `exchange`; the copy gets its own name, and the secret of that name, back. */
export async function exchangeBack(
  db: Db,
  old: DatabaseRow,
  copy: DatabaseRow,
  { name, copyName }: { name: string; copyName: string },
): Promise<void> {
  const { organizationId } = old
  const [secret] = await db
    .select({ id: secrets.id })
    .from(secrets)
    .where(and(eq(secrets.organizationId, organizationId), eq(secrets.name, credentialName(copyName))))
  await updateDatabase(db, organizationId, copy.id, {
    name: copyName,
    port: old.port,
    allowList: old.allowList,
    credentialSecretId: secret?.id ?? copy.credentialSecretId,
    credentialVersion: null,
  })
  await updateDatabase(db, organizationId, old.id, {
    name,
    port: copy.port,
    allowList: copy.allowList,
    credentialVersion: null,
  })
  await exchangePolicies(db, old, copy)
}

async function exchangePolicies(db: Db, one: DatabaseRow, other: DatabaseRow): Promise<void> {
  const { organizationId } = one
  const { updatedAt: _, ...first } = await findPolicy(db, organizationId, one.id)
  const { updatedAt: __, ...second } = await findPolicy(db, organizationId, other.id)
  await storePolicy(db, organizationId, one.id, { ...second, version: first.version + 1 })
  await storePolicy(db, organizationId, other.id, { ...first, version: second.version + 1 })
}

/** `orders-before-1341`, with a number where that is taken. */
async function freeName(db: Db, organizationId: number, name: string, at: Date): Promise<string> {
  const time = at.toISOString().slice(11, 16).replace(':', '')
  const base = `${name.slice(0, 45)}-before-${time}`
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? base : `${base}-${number}`
    const taken = await db.$count(
      databases,
      and(
        eq(databases.organizationId, organizationId),
        eq(databases.name, candidate),
        isNull(databases.deletedAt),
      ),
    )
    if (taken === 0) return candidate
  }
}
