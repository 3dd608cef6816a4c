import { eq, ne, sql } from 'drizzle-orm'

import { organizationKeys } from '../../tables/organization-keys.ts'
import { serverKeys } from '../../tables/server-keys.ts'
import { act, serverItself } from '../act.ts'
import { serverTrail } from '../audit/refusals.ts'
import { keyContext } from '../certificate/certificate-store.ts'
import type { Database, Db } from '../db/database.ts'
import { dataKeyContext, unwrap } from './data-keys.ts'
import { checkName, type RootKey } from './root-key.ts'
import { seal, SealError } from './sealed-box.ts'

type Wrapping = Required<RootKey>

/**
 * Moves what the previous root key wraps to the present one, in one transaction: the data keys of the organizations and
 * the keys of the server. Values of secrets are not touched, so it takes as long with many as with few. Does nothing to
 * a database that belongs to neither key. Answers how many data keys were moved; undefined: there was nothing to do.
 */
export async function rotateRootKey(database: Database, rootKey: RootKey): Promise<number | undefined> {
  const { previous } = rootKey
  if (previous === undefined) return undefined
  const keys = { ...rootKey, previous }
  return database.asSystem('change the root key', async (db) => {
    const [check] = await db
      .select({ fingerprint: serverKeys.publicPem })
      .from(serverKeys)
      .where(eq(serverKeys.name, checkName))
      .for('update')
    const from = check?.fingerprint
    if (from !== previous.fingerprint && from !== keys.fingerprint) return undefined
    const moved = await rewrapDataKeys(db, keys)
    if (from === previous.fingerprint) await rewrapServerKeys(db, keys)
    else if (moved === 0) return undefined
    await act(db, serverItself(serverTrail), {
      action: 'root-key.rotate',
      class: 'update',
      target: { type: 'root-key', id: keys.fingerprint },
      diff: { from: previous.fingerprint, to: keys.fingerprint, dataKeys: moved },
    })
    return moved
  })
}

/** Those that the present key does not open. */
async function rewrapDataKeys(db: Db, keys: Wrapping): Promise<number> {
  const rows = await db
    .select({ organizationId: organizationKeys.organizationId, wrapped: organizationKeys.wrapped })
    .from(organizationKeys)
    .for('update')
  const { previous: _previous, ...present } = keys
  const stale = rows.filter(({ organizationId, wrapped }) => !opens(present, wrapped, organizationId))
  if (stale.length === 0) return 0
  const ids = stale.map(({ organizationId }) => organizationId)
  const wrapped = stale.map(({ organizationId, wrapped: old }) => {
    const context = dataKeyContext(organizationId)
    return seal(keys.key, unwrap(keys, old, context), context).toString('hex')
  })
  await db.execute(sql`
    update organization_keys k set wrapped = decode(n.wrapped, 'hex')
    from unnest(${sql.param(ids)}::int[], ${sql.param(wrapped)}::text[]) n(organization_id, wrapped)
    where k.organization_id = n.organization_id`)
  return stale.length
}

function opens(rootKey: RootKey, wrapped: Buffer, organizationId: number): boolean {
  try {
    unwrap(rootKey, wrapped, dataKeyContext(organizationId))
    return true
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    return false
  }
}

async function rewrapServerKeys(db: Db, keys: Wrapping): Promise<void> {
  const rows = await db
    .select({ name: serverKeys.name, sealed: serverKeys.sealed, publicPem: serverKeys.publicPem })
    .from(serverKeys)
    .where(ne(serverKeys.name, checkName))
  for (const { name, sealed, publicPem } of rows) {
    const context = keyContext(publicPem ?? '')
    await db
      .update(serverKeys)
      .set({ sealed: seal(keys.key, unwrap(keys, sealed, context), context) })
      .where(eq(serverKeys.name, name))
  }
  await db
    .update(serverKeys)
    .set({ sealed: seal(keys.key, checkName, keys.fingerprint), publicPem: keys.fingerprint })
    .where(eq(serverKeys.name, checkName))
}
