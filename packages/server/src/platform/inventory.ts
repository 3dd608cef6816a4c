import {
  type DecidedMark,
  entityHref,
  entityOf,
  entityResourceId,
  type Health,
  healthy,
  type ListedEntity,
  type Relation,
  type ResourceKind,
  type Role,
  staleAfterMs,
} from '@bey/contract'
import type { Clock } from './clock.ts'
import type { Database, Db } from './db/database.ts'
import { mayNow } from './keys/key-rights.ts'

/** One thing of the organization, as its own feature describes it; made when asked for and never stored. */
export type Resource = {
  /** Of `entityResourceId` or `objectResourceId`. */
  id: string
  /** One of `resourceKinds`. */
  kind: string
  name: string
  /** The cluster that it lies in; null for what lies in none. */
  cluster: { id: number; title: string } | null
  /** Null where its kind has none. */
  namespace: string | null
  /** Null where its kind has none. */
  health: Health | null
  labels: Readonly<Record<string, string>>
  /** RFC 3339; null where nobody knows. */
  createdAt: string | null
  /** RFC 3339; absent where its kind does not end, or nobody knows when it does. */
  expiresAt?: string
  /** The member who made it; null for the system and for objects of clusters. */
  createdBy: { id: number; name: string } | null
  /** What its feature found out about it. */
  marks: readonly DecidedMark[]
  /** Its own page in the console. */
  href: string
}

/** What is missing from an answer, and why: `prod-eu-1 has not answered since …`. */
export type InventoryGap = { source: string; reason: string; since: string | null }

/** Gaps without repetition: a cluster that is silent to two sources is one. */
export function distinctGaps(gaps: readonly InventoryGap[]): InventoryGap[] {
  return [...new Map(gaps.map((gap) => [`${gap.source}\n${gap.reason}`, gap])).values()]
}

/** Who asks. What the role may not read is left out by each source, and nothing says how much that was. */
export type InventoryAsk = { organizationId: number; userId: number; role: Role }

/**
 * What a feature has for the inventory. Both read what is true now: rows by SQL, objects of clusters from the watch
 * caches. They never throw for what one cluster does not answer: that is a gap.
 */
export type InventorySource = {
  /** Values of `resourceKinds` that it answers. */
  kinds: readonly string[]
  /** Its resources of these kinds; `kinds` holds those of its own that are asked for. */
  list(
    ask: InventoryAsk,
    kinds: ReadonlySet<string>,
  ): Promise<{ resources: readonly Resource[]; gaps: readonly InventoryGap[] }>
}

/** What a feature knows of how things relate, to things of other features as well. Either end may be gone or hidden. */
export type RelationSource = {
  list(ask: InventoryAsk): Promise<{
    relations: readonly Relation[]
    gaps: readonly InventoryGap[]
    /** Relations of objects that it knows by their labels alone. */
    labelled?: readonly LabelledRelation[]
  }>
}

/** Every object of a kind and namespace of a cluster that has all these labels relates to `to`, or `from` to it. */
export type LabelledRelation = Pick<Relation, 'verb'> & {
  kind: string
  clusterId: number
  namespace: string
  labels: Readonly<Record<string, string>>
} & ({ to: string } | { from: string })

/** A row of an entity, as its feature reads it; what is absent its type does not have. */
type EntityRow = {
  id: string | number
  name: string
  createdAt: Date
  expiresAt?: Date | null
  createdBy?: number | null
  createdByName?: string | null
  health?: Health | null
  labels?: Readonly<Record<string, string>>
  cluster?: { id: number; title: string } | null
  marks?: readonly DecidedMark[]
}

const nothing = {}

/** The source of rows of one kind, which the caller may read with this permission or not at all. */
export function rowSource(
  database: Pick<Database, 'readTenant'>,
  { kind, permission }: Pick<ResourceKind, 'kind' | 'permission'>,
  read: (db: Db, ask: InventoryAsk) => Promise<readonly (EntityRow & Pick<Resource, 'href'>)[]>,
): InventorySource {
  return {
    kinds: [kind],
    async list(ask) {
      if (!mayNow(ask.role, permission)) return { resources: [], gaps: [] }
      const rows = await database.readTenant(ask.organizationId, (db) => read(db, ask))
      const resources = rows.map((row): Resource => {
        const { id, name, createdBy, createdByName, health = null, labels, cluster = null, marks = [] } = row
        return {
          id: `${kind}:${id}`,
          kind,
          name,
          cluster,
          namespace: null,
          health,
          labels: labels ?? nothing,
          createdAt: row.createdAt.toISOString(),
          ...(row.expiresAt && { expiresAt: row.expiresAt.toISOString() }),
          createdBy: createdBy && createdByName ? { id: createdBy, name: createdByName } : null,
          marks,
          href: row.href,
        }
      })
      return { resources, gaps: [] }
    },
  }
}

/** The source of one type of entity; rows that the caller may not read are left out with their whole type. */
export function entitySource(
  database: Pick<Database, 'readTenant'>,
  type: ListedEntity,
  read: (db: Db, ask: InventoryAsk) => Promise<readonly EntityRow[]>,
): InventorySource {
  const { readPermission, paths } = entityOf(type)
  const kind = entityResourceId(type, '').slice(0, -1)
  return rowSource(database, { kind, permission: readPermission }, async (db, ask) =>
    (await read(db, ask)).map((row) => ({
      ...row,
      href: entityHref({ type, id: String(row.id) }) ?? paths.list,
    })),
  )
}

/** Health of what is tried from time to time, as the last try found it; null before the first. */
export function healthOfTry(at: Date | null, problem: string | null, reason: string): Health | null {
  if (at === null) return null
  if (problem === null) return healthy
  return { state: 'failing', reason, detail: problem, since: at.toISOString(), object: null }
}

/** Tells what has not been used for long: none of the times is within the last `staleAfterMs`. */
export function staleAt(clock: Clock) {
  const boundMs = clock.now().getTime() - staleAfterMs
  return {
    isStale: (times: readonly (Date | null)[]) => times.every((at) => at === null || at.getTime() < boundMs),
  }
}
