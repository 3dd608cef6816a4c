import type { SecretDrift } from '@bey/contract'
import type { Db } from '../../../platform/db/database.ts'
import { sealContext, type SecretParts } from '../parts.ts'
import { findSecret, type SecretRow, touchSecret } from '../store.ts'
import { decodeValue } from '../value.ts'
import { findSealed } from '../version-store.ts'
import { ClusterFailure, openCluster } from '../../../platform/clusters/open-cluster.ts'
import type { ClusterDoor } from '../../kubernetes/connection/ports.ts'
import { driftOf, isOwn, type KubernetesSecret, manifestOf } from './manifest.ts'
import { createOutcome, SyncConflict } from './outcome.ts'
import { removeCopy } from './remove.ts'
import { restartMark, restartUsers } from './restart.ts'
import { findSync, type SyncRow } from './store.ts'
import { recordFinding, recordIntent } from './trail.ts'
import { applySecret, readSecret } from './write.ts'

export type SyncParts = SecretParts & { clusters: ClusterDoor }
type Claimed = { organizationId: number; id: string; claim: string }
type Situation = { sync: SyncRow; secret: SecretRow; wanted: KubernetesSecret }

/**
 * Makes one copy what it shall be, looking at the cluster before each write: called again after a crash it finds what
 * was done. Never rejects for what people can mend; that is kept with the copy.
 */
export function createReconcile(parts: SyncParts) {
  const { database, dataKeys, clock, clusters } = parts
  const { finish, finishIn, fail, forget } = createOutcome(parts)
  const inTenant = <T>({ organizationId }: SyncRow, work: (db: Db) => Promise<T>) =>
    database.withTenant(organizationId, work)

  return async function reconcile({ organizationId, id, claim }: Claimed): Promise<void> {
    const sync = await database.readTenant(organizationId, (db) => findSync(db, organizationId, id))
    if (sync?.claim !== claim) return
    try {
      await advance(sync)
    } catch (error) {
      await fail(sync, error)
      if (!(error instanceof ClusterFailure)) throw error
    }
  }

  async function advance(sync: SyncRow): Promise<void> {
    const { organizationId, clusterId, secretId } = sync
    if (sync.state === 'removing') return removeCopy(parts, sync)
    const cluster = await clusters.find(organizationId, clusterId)
    const secret = await database.readTenant(organizationId, (db) => findSecret(db, organizationId, secretId))
    if (cluster === undefined || secret === undefined) return forget(sync, secret)
    if (secret.status !== 'active') {
      const state = secret.status === 'disabled' ? 'disabled' : 'being deleted'
      return finish(sync, { error: `The secret is ${state}: what is in the cluster stays as it is.` })
    }
    const wanted = await wantedOf(sync, secret)
    const situation = { sync, secret, wanted }
    const api = await openCluster(clusters, organizationId, clusterId)
    const live = await readSecret(api, sync)
    const isForeign = live !== undefined && !isOwn(live, sync)
    if (isForeign && !sync.takesOver) {
      throw new SyncConflict(
        'A Secret of this name is in the cluster that Bey did not make. Take it over, or choose another name.',
      )
    }
    const drift: SecretDrift[] = live ? driftOf(live, wanted) : [{ path: 'Secret', kind: 'missing' }]
    if (drift.length === 0) return settle(situation)
    const isNewer = sync.syncedVersion !== secret.currentVersion
    if (isForeign || isNewer || sync.putsRight || sync.correctsDrift) {
      const action = isForeign
        ? 'secret.sync.take_over'
        : isNewer
          ? 'secret.sync.write'
          : 'secret.sync.correct'
      const diff = { version: secret.currentVersion, ...(isNewer ? {} : { drift }) }
      const record = await recordIntent(database, sync, secret.name, { action, class: 'update', diff })
      try {
        await applySecret(api, sync, wanted, live, drift)
      } catch (error) {
        const words = error instanceof ClusterFailure ? error.message : 'A fault stopped it.'
        await inTenant(sync, (db) => record(db, 'failure', words))
        throw error
      }
      return settle(situation, (db) => record(db, 'success'))
    }
    return showDrift(situation, drift, live)
  }

  async function wantedOf(sync: SyncRow, { id, organizationId, currentVersion }: SecretRow) {
    return database.readTenant(organizationId, async (db) => {
      const found = await findSealed(db, organizationId, id, currentVersion)
      if (!found?.sealed) throw new ClusterFailure('The secret was changed at the same moment.')
      const plain = await dataKeys.unseal(db, organizationId, found.sealed, sealContext(id, currentVersion))
      return manifestOf(sync, decodeValue(plain))
    })
  }

  /** The cluster holds what it shall: by a write just now, or already. Restarts what uses it where that is still to do. */
  async function settle({ sync, secret }: Situation, record?: (db: Db) => Promise<void>): Promise<void> {
    const version = secret.currentVersion
    const isReplaced = sync.syncedVersion !== null && sync.syncedVersion !== version
    const restartVersion = isReplaced && sync.restarts ? version : sync.restartVersion
    if (record === undefined && restartVersion !== null && !isReplaced)
      return restart(sync, secret, restartVersion)
    const now = clock.now()
    const isNew = record !== undefined || sync.syncedVersion !== version
    await finish(
      sync,
      {
        state: 'synced',
        syncedVersion: version,
        ...(isNew && { syncedAt: now }),
        restartVersion,
        drift: [],
        driftHash: null,
        acceptedHash: null,
        putsRight: false,
        takesOver: false,
        error: null,
        ...(restartVersion !== null && { nextAt: now }),
      },
      async (db) => {
        await record?.(db)
        if (isNew) await touchSecret(db, sync.organizationId, sync.secretId, { lastUsedAt: now })
      },
    )
  }

  async function restart(sync: SyncRow, secret: SecretRow, version: number): Promise<void> {
    const api = await openCluster(clusters, sync.organizationId, sync.clusterId)
    const diff = { version }
    const act = { action: 'secret.sync.restart', class: 'execute', diff } as const
    const record = await recordIntent(database, sync, secret.name, act)
    try {
      const mark = restartMark(sync.id, version)
      await restartUsers(api, { namespace: sync.namespace, name: sync.name, mark, at: clock.now() })
    } catch (error) {
      await inTenant(sync, (db) => record(db, 'failure'))
      throw error
    }
    await finish(sync, { restartVersion: null, state: 'synced', error: null }, (db) => record(db, 'success'))
  }

  async function showDrift(
    { sync, secret }: Situation,
    drift: SecretDrift[],
    live: KubernetesSecret | undefined,
  ): Promise<void> {
    const found = Buffer.from(JSON.stringify(live ? [live.type, live.data, live.metadata.labels] : null))
    await inTenant(sync, async (db) => {
      const driftHash = await dataKeys.fingerprint(db, sync.organizationId, found, 'secret-sync')
      const isAccepted = driftHash === sync.acceptedHash
      const state = isAccepted ? 'synced' : 'drifted'
      await finishIn(db, sync, { state, drift, driftHash, error: null })
      if (sync.state === 'drifted' || isAccepted) return
      const act = { action: 'secret.sync.drift', class: 'update', diff: { drift } } as const
      await recordFinding(db, sync, secret.name, act)
    })
  }
}
