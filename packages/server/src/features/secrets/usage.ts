import { accessIncludes, type SecretReader, type SecretUse } from '@bey/contract'
import { AppError } from '../../platform/errors.ts'
import { accessOf, requireAccess } from './access.ts'
import { openSecret, type SecretParts, type Who } from './parts.ts'
import { presentActivity } from './present.ts'
import { listGrants, type SecretGrantRow } from './store.ts'
import type { ClusterDoor } from '../kubernetes/connection/ports.ts'
import { listSyncs, type SyncRow } from './sync/store.ts'
import { workloadUses } from './sync/workload-uses.ts'
import {
  type ActivityCursor,
  listActivity,
  listMembers,
  listRevealingKeys,
  listSourcesWith,
  listUses,
  type RevealingKey,
} from './use-store.ts'

/** What the reply lists. */
const maxReadersShown = 200
const maxUsesShown = 200

type SourceRow = Awaited<ReturnType<typeof listSourcesWith>>[number]
type UseRow = Awaited<ReturnType<typeof listUses>>[number]
type Member = Awaited<ReturnType<typeof listMembers>>[number]

/** What uses a secret, who could read it and did, and what the trail tells of it. */
export function createSecretUsage({ database, clock, clusters }: SecretParts & { clusters: ClusterDoor }) {
  return {
    async usage(id: string, who: Who) {
      const { seen, syncs, members, keys, grants, sources } = await database.readTenant(
        who.organizationId,
        async (db) => {
          await openSecret(db, id, who)
          const [seen, syncs, members, keys, grants, sources] = await Promise.all([
            listUses(db, who.organizationId, id),
            listSyncs(db, who.organizationId, id),
            listMembers(db, who.organizationId),
            listRevealingKeys(db, who.organizationId, id),
            listGrants(db, who.organizationId, [id]),
            listSourcesWith(db, who.organizationId, id),
          ])
          return { seen, syncs, members, keys, grants, sources }
        },
      )
      // Outside the transaction: clusters may take their time.
      const workloads = await Promise.all(syncs.map((sync) => workloadUses(clusters, clock, sync)))
      const copies = syncs.flatMap((sync, index) => {
        const found = workloads[index]
        return [presentCopy(sync, found !== undefined), ...(found ?? [])]
      })
      const others = seen.filter(({ subjectType }) => subjectType !== 'user')
      const uses = [...copies, ...sources.map(presentSource), ...others.map(presentUse)]
      const readers = [...readersOf(members, grants, seen), ...readingKeys(keys, members, grants, seen)]
      // The sentence counts all of them; the lists show the first.
      return {
        summary: summaryOf(uses, readers),
        uses: uses.slice(0, maxUsesShown),
        readers: readers.slice(0, maxReadersShown),
      }
    },

    activity(id: string, { cursor, limit }: { cursor?: string | undefined; limit: number }, who: Who) {
      const before = cursor === undefined ? undefined : parseCursor(cursor)
      return database.readTenant(who.organizationId, async (db) => {
        const { row, access } = await openSecret(db, id, who)
        // It is a part of the audit trail, which viewers and members do not read.
        requireAccess(access, 'manage', row.name)
        const rows = await listActivity(db, who.organizationId, id, { before, limit: limit + 1 })
        const last = rows.length > limit ? rows[limit - 1] : undefined
        return {
          entries: rows.slice(0, limit).map(presentActivity),
          nextCursor: last === undefined ? null : `${last.at.getTime()}.${last.id}`,
        }
      })
    },
  }
}

/** A workflow reads the current version at its next run; what holds a copy has to be given the new one. */
function presentUse(row: UseRow): SecretUse {
  const { databaseProvider, subjectType, subjectId, subjectName, lastUsedAt, lastVersion, useCount } = row
  const times = useCount === 1 ? 'once' : `${useCount} times`
  return {
    type: subjectType as SecretUse['type'],
    id: subjectId,
    name: subjectName,
    detail: `Used ${times}, version ${lastVersion} last`,
    pods: null,
    isStuck: false,
    lastUsedAt: lastUsedAt.toISOString(),
    lastVersion,
    onRotation: onRotation(subjectType, databaseProvider),
  }
}

/** A data source is asked with the value that the secret has then. */
function presentSource({ id, name, testedAt }: SourceRow): SecretUse {
  return {
    type: 'data_source',
    id,
    name,
    detail: 'Data source of metrics, asked with the current version',
    pods: null,
    isStuck: false,
    lastUsedAt: testedAt?.toISOString() ?? null,
    lastVersion: null,
    onRotation: 'follows',
  }
}

function onRotation(type: string, databaseProvider: string | null): SecretUse['onRotation'] {
  if (type === 'cluster') return 'restarts'
  // A server that Bey runs gets the new password; one of somebody else does not.
  return type === 'workflow' || databaseProvider === 'embedded' ? 'follows' : 'breaks'
}

/**
 * A copy in a cluster is written anew by itself, and what mounts it restarts where that was asked for; one in conflict or
 * that fails keeps the old value.
 */
function presentCopy(sync: SyncRow, areWorkloadsKnown: boolean): SecretUse {
  const { clusterId, clusterTitle, namespace, name, restarts, state, syncedAt, syncedVersion } = sync
  const isStuck = state === 'conflict' || state === 'failed'
  return {
    type: 'cluster',
    id: String(clusterId),
    name: clusterTitle,
    detail: `Secret ${namespace}/${name}${isStuck ? `, which is not written: ${state === 'conflict' ? 'somebody else changed it' : 'the last attempt failed'}` : ''}${areWorkloadsKnown ? '' : '; the cluster does not say now which workloads use it'}`,
    pods: null,
    isStuck,
    lastUsedAt: syncedAt?.toISOString() ?? null,
    lastVersion: syncedVersion,
    onRotation: isStuck ? 'breaks' : restarts ? 'restarts' : 'follows',
  }
}

/** Everybody who could read the value now, and anyone who did and no longer can. */
function readersOf(
  members: readonly Member[],
  grants: readonly SecretGrantRow[],
  seen: readonly UseRow[],
): SecretReader[] {
  const reads = new Map(
    seen.filter(({ subjectType }) => subjectType === 'user').map((use) => [use.subjectId, use]),
  )
  return members.flatMap(({ userId, name, role }) => {
    const access = accessOf({ userId, role }, grants)
    if (access === null || !accessIncludes(access, 'read')) return []
    const read = reads.get(String(userId))
    return [
      {
        subjectType: 'user' as const,
        subjectId: String(userId),
        name,
        access,
        because: reasonOf(userId, role, grants),
        readCount: read?.useCount ?? 0,
        lastReadAt: read?.lastUsedAt.toISOString() ?? null,
      },
    ]
  })
}

/** API keys that could read the value: their own grants count, and the role that bounds them. */
function readingKeys(
  keys: readonly RevealingKey[],
  members: readonly Member[],
  grants: readonly SecretGrantRow[],
  seen: readonly UseRow[],
): SecretReader[] {
  return keys.flatMap(({ id, name, ownerId, madeBy, role: given }) => {
    // A personal key has the role that its owner has now.
    const role = ownerId === null ? given : members.find(({ userId }) => userId === ownerId)?.role
    const subject = role && { userId: ownerId ?? madeBy, role, keyId: id }
    const access = subject ? accessOf(subject, grants) : null
    if (!subject || access === null || !accessIncludes(access, 'read')) return []
    const isGranted = grants.some((each) => each.subjectType === 'api_key' && each.subjectId === id)
    const read = seen.find(({ subjectType, subjectId }) => subjectType === 'api_key' && subjectId === id)
    return [
      {
        subjectType: 'api_key' as const,
        subjectId: id,
        name,
        access,
        because: isGranted ? 'Granted to this API key' : `API key with the role ${subject.role}`,
        readCount: read?.useCount ?? 0,
        lastReadAt: read?.lastUsedAt.toISOString() ?? null,
      },
    ]
  })
}

function reasonOf(userId: number, role: string, grants: readonly SecretGrantRow[]): string {
  if (role === 'OWNER') return 'Owner of the organization'
  if (role === 'ADMIN') return 'Admin of the organization'
  const isPersonal = grants.some(
    ({ subjectType, subjectId, access }) =>
      subjectType === 'user' && subjectId === String(userId) && accessIncludes(access, 'read'),
  )
  return isPersonal ? 'Granted to this person' : `Granted to the role ${role}`
}

function summaryOf(uses: readonly SecretUse[], readers: readonly SecretReader[]): string {
  const have = readers.filter(({ readCount }) => readCount > 0)
  const read = have.length === 0 ? 'nobody has' : `${readersText(have)} ${have.length === 1 ? 'has' : 'have'}`
  const access = `${readersText(readers)} can read it, ${read}.`
  if (uses.length === 0) return `Nothing is known to use it; ${access}`
  const breaking = uses.filter(({ onRotation }) => onRotation === 'breaks').length
  const things = uses.length === 1 ? '1 thing uses it' : `${uses.length} things use it`
  const outcome = breaking === 0 ? 'none breaks' : breaking === 1 ? '1 breaks' : `${breaking} break`
  return `${things}; ${access} If you rotate it, ${outcome}.`
}

/** "1 person", "2 people and 1 API key". */
function readersText(readers: readonly SecretReader[]): string {
  const keys = readers.filter(({ subjectType }) => subjectType === 'api_key').length
  const people = readers.length - keys
  const keyText = keys === 1 ? '1 API key' : `${keys} API keys`
  const text = people === 1 ? '1 person' : `${people} people`
  return keys === 0 ? text : people === 0 ? keyText : `${text} and ${keyText}`
}

function parseCursor(cursor: string): ActivityCursor {
  const [, ms, id] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(cursor) ?? []
  if (ms === undefined || id === undefined) {
    const message = 'Send the nextCursor of a page before.'
    throw new AppError('invalid_request', `cursor: ${message}`, { errors: [{ path: 'cursor', message }] })
  }
  return { at: new Date(Number(ms)), id }
}
