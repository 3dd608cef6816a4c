import { act } from '../../../platform/act.ts'
import {
  type SecretSync,
  type SecretSyncAct,
  secretSyncLimits,
  defaultSyncShape,
  type KubernetesSecretType,
  type SyncShape,
  syncShapeProblem,
  type SecretType,
} from '@bey/contract'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { violatedConstraint } from '../../../platform/db/failure.ts'
import { requireAccess } from '../access.ts'
import {
  openLockedSecret,
  openSecret,
  requireLive,
  type SecretParts,
  secretTarget,
  type Who,
} from '../parts.ts'
import { presentActor } from '../../../platform/present-actor.ts'
import type { ClusterDoor } from '../../kubernetes/connection/ports.ts'
import {
  deleteSync,
  findSync,
  insertSync,
  listSyncs,
  type SyncChange,
  type SyncRow,
  updateSync,
} from './store.ts'

type NewSync = {
  clusterId: number
  namespace: string
  name: string
  kubernetesType?: KubernetesSecretType | undefined
  keys?: Record<string, string> | undefined
  labels: Record<string, string>
  restarts: boolean
  correctsDrift: boolean
  onRemoval: 'leave' | 'delete'
  takesOver: boolean
}
type SyncUpdate = Partial<Pick<NewSync, 'keys' | 'labels'>> & {
  restarts?: boolean | undefined
  correctsDrift?: boolean | undefined
  onRemoval?: 'leave' | 'delete' | undefined
}

/** Copies of secrets in clusters, as people ask for them; the loop makes them. Whoever manages a secret may. */
export function createSyncs({ database, clock, clusters }: SecretParts & { clusters: ClusterDoor }) {
  return {
    list(secretId: string, who: Who) {
      return database.readTenant(who.organizationId, async (db) => {
        await openSecret(db, secretId, who)
        return { syncs: (await listSyncs(db, who.organizationId, secretId)).map(present) }
      })
    },

    async create(secretId: string, input: NewSync, who: Who) {
      const { organizationId, user } = who
      const cluster = await clusters.find(organizationId, input.clusterId)
      if (cluster === undefined) {
        throw new AppError('not_found', 'This cluster does not exist in this organization.')
      }
      const { clusterId, namespace, name, labels, restarts, correctsDrift, onRemoval, takesOver } = input
      const target = { clusterId, namespace, name }
      return orTaken(target, cluster.title, () =>
        database.withTenant(organizationId, async (db) => {
          const { row, access } = await openLockedSecret(db, secretId, who)
          requireAccess(access, 'manage', row.name)
          requireLive(row)
          const shape = shapeOf(row.type, input)
          if ((await listSyncs(db, organizationId, secretId)).length >= secretSyncLimits.perSecret) {
            throw new AppError(
              'limit_reached',
              `The secret "${row.name}" is kept in ${secretSyncLimits.perSecret} places already. Remove one.`,
            )
          }
          const id = uuidv7()
          await insertSync(db, {
            id,
            organizationId,
            secretId,
            ...target,
            ...shape,
            labels,
            restarts,
            correctsDrift,
            onRemoval,
            takesOver,
            nextAt: clock.now(),
            createdBy: user.id,
            createdAt: clock.now(),
          })
          const diff = {
            cluster: cluster.title,
            namespace,
            name,
            ...shape,
            takesOver,
            restarts,
            correctsDrift,
          }
          await act(db, who, {
            action: 'secret.sync.create',
            class: 'create',
            diff,
            target: secretTarget(row),
          })
          return keepReply(db, present(await requireSync(db, organizationId, secretId, id)))
        }),
      )
    },

    update(secretId: string, id: string, input: SyncUpdate, who: Who) {
      return actOnSync(secretId, id, who, async (sync, type) => {
        const shape = { kubernetesType: sync.kubernetesType, keys: input.keys ?? sync.keys }
        requireShape(type, shape)
        const isWritten = input.keys !== undefined || input.labels !== undefined
        const change = { ...input, ...(isWritten && { putsRight: true }) }
        return { change, action: 'secret.sync.update', diff: { ...input } }
      })
    },

    resolve(secretId: string, id: string, how: SecretSyncAct, who: Who) {
      return actOnSync(secretId, id, who, async (sync) => {
        if (how === 'accept' && sync.state !== 'drifted') {
          throw new AppError('conflict', 'Nothing differs in the cluster that could be accepted.')
        }
        if (how === 'take_over' && sync.state !== 'conflict') {
          throw new AppError('conflict', 'No Secret that somebody else made stands there.')
        }
        return { change: changes[how](sync), action: `secret.sync.${how}`, diff: {} }
      })
    },

    remove(secretId: string, id: string, removal: 'leave' | 'delete', who: Who) {
      return database.withTenant(who.organizationId, async (db) => {
        const { row, access } = await openLockedSecret(db, secretId, who)
        requireAccess(access, 'manage', row.name)
        const sync = await requireSync(db, who.organizationId, secretId, id)
        // Asked again while the cluster does not answer, it is forgotten.
        const isForgotten = sync.state === 'removing' && sync.attempts > 0 && removal === 'leave'
        if (isForgotten) await deleteSync(db, who.organizationId, id)
        else {
          const change = {
            state: 'removing',
            removal,
            nextAt: clock.now(),
            claim: null,
            attempts: 0,
          } as const
          await updateSync(db, who.organizationId, id, change)
        }
        const diff = { ...placeOf(sync), secret: removal, ...(isForgotten && { isForgotten }) }
        await act(db, who, { action: 'secret.sync.end', class: 'delete', diff, target: secretTarget(row) })
        return null
      })
    },
  }

  type Outcome = { change: SyncChange; action: string; diff: Record<string, unknown> }

  function actOnSync(
    secretId: string,
    id: string,
    who: Who,
    decide: (sync: SyncRow, type: SecretType) => Promise<Outcome>,
  ) {
    const { organizationId } = who
    return database.withTenant(organizationId, async (db) => {
      const { row, access } = await openLockedSecret(db, secretId, who)
      requireAccess(access, 'manage', row.name)
      const sync = await requireSync(db, organizationId, secretId, id)
      if (sync.state === 'removing') throw new AppError('conflict', 'This copy is being removed.')
      const { change, action, diff } = await decide(sync, row.type)
      await updateSync(db, organizationId, id, { ...change, nextAt: clock.now(), claim: null, attempts: 0 })
      await act(db, who, {
        action,
        class: 'update',
        diff: { ...placeOf(sync), ...diff },
        target: secretTarget(row),
      })
      return keepReply(db, present(await requireSync(db, organizationId, secretId, id)))
    })
  }
}

async function orTaken<T>(
  { namespace, name }: Pick<NewSync, 'namespace' | 'name'>,
  cluster: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violatedConstraint(error) !== 'secret_syncs_target_key') throw error
    throw new AppError(
      'name_taken',
      `A secret is kept as "${name}" in the namespace "${namespace}" of the cluster "${cluster}" already. Choose another name.`,
      { cause: error },
    )
  }
}

const changes: Record<SecretSyncAct, (sync: SyncRow) => SyncChange> = {
  put_right: () => ({ putsRight: true, acceptedHash: null }),
  accept: ({ driftHash }) => ({ acceptedHash: driftHash }),
  take_over: () => ({ takesOver: true }),
  retry: () => ({}),
}

const placeOf = ({ clusterTitle: cluster, namespace, name }: SyncRow) => ({ cluster, namespace, name })

async function requireSync(db: Db, organizationId: number, secretId: string, id: string): Promise<SyncRow> {
  const sync = await findSync(db, organizationId, id)
  if (sync?.secretId === secretId) return sync
  throw new AppError('not_found', 'This secret is not kept there.')
}

function shapeOf(type: SecretType, input: Pick<NewSync, 'kubernetesType' | 'keys'>): SyncShape {
  const usual = defaultSyncShape(type)
  const shape = {
    kubernetesType: input.kubernetesType ?? usual.kubernetesType,
    keys: input.keys ?? usual.keys,
  }
  requireShape(type, shape)
  return shape
}

function requireShape(type: SecretType, shape: SyncShape): void {
  const message = syncShapeProblem(type, shape)
  if (message === undefined) return
  throw new AppError('invalid_request', `keys: ${message}`, { errors: [{ path: 'keys', message }] })
}

function present(row: SyncRow): SecretSync {
  return {
    id: row.id,
    clusterId: row.clusterId,
    clusterTitle: row.clusterTitle,
    namespace: row.namespace,
    name: row.name,
    kubernetesType: row.kubernetesType,
    keys: row.keys,
    labels: row.labels,
    restarts: row.restarts,
    correctsDrift: row.correctsDrift,
    onRemoval: row.onRemoval,
    state: row.state,
    syncedVersion: row.syncedVersion,
    syncedAt: row.syncedAt?.toISOString() ?? null,
    checkedAt: row.checkedAt?.toISOString() ?? null,
    drift: row.drift,
    isDriftAccepted: row.drift.length > 0 && row.acceptedHash !== null && row.acceptedHash === row.driftHash,
    error: row.error,
    createdBy: presentActor(row.createdBy, row.createdByName, row.createdByEmail),
    createdAt: row.createdAt.toISOString(),
  }
}
