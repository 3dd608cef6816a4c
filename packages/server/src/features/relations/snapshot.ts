import {
  entityResourceId,
  limitableTypes,
  objectResourceId,
  type Relation,
  resourceKindOf,
} from '@bey/contract'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import {
  distinctGaps,
  type InventoryAsk,
  type InventoryGap,
  type InventorySource,
  type LabelledRelation,
  type RelationSource,
  type Resource,
} from '../../platform/inventory.ts'
import { limitNow, mayNow } from '../../platform/keys/key-rights.ts'
import { indexRelations, type RelationIndex } from './graph/index-relations.ts'

/** What all features have for inventory and relations. */
export type RelationSources = {
  inventory: readonly InventorySource[]
  relations: readonly RelationSource[]
}

/** All that the asking person may see, at one moment. */
export type Snapshot = {
  resources: ReadonlyMap<string, Resource>
  index: RelationIndex
  gaps: readonly InventoryGap[]
  /** RFC 3339. */
  asOf: string
}

export type ReadSnapshot = (ask: InventoryAsk) => Promise<Snapshot>

const mostGaps = 200

/** Reads all sources at the same time. A relation counts only where both of its ends may be seen. */
export function snapshotReader(sources: () => RelationSources, clock: Clock): ReadSnapshot {
  return async (ask) => {
    const { inventory, relations } = sources()
    const [lists, relationLists] = await Promise.all([
      Promise.all(
        inventory.map(async (source) => {
          const kinds = new Set(source.kinds.filter((kind) => mayRead(ask, kind)))
          return kinds.size === 0 ? { resources: [], gaps: [] } : source.list(ask, kinds)
        }),
      ),
      Promise.all(relations.map((source) => source.list(ask))),
    ])
    const isWithinKey = keyLimits()
    const resources = new Map<string, Resource>()
    for (const each of lists)
      for (const resource of each.resources)
        if (mayRead(ask, resource.kind) && isWithinKey(resource)) resources.set(resource.id, resource)
    const known: Relation[] = []
    const add = (relation: Relation) => {
      if (resources.has(relation.from) && resources.has(relation.to)) known.push(relation)
    }
    for (const each of relationLists) for (const relation of each.relations) add(relation)
    for (const resource of resources.values()) for (const relation of placeRelations(resource)) add(relation)
    const labelled = relationLists.flatMap((each) => each.labelled ?? [])
    for (const relation of labelledRelations(resources.values(), labelled)) add(relation)
    return {
      resources,
      index: indexRelations(known),
      gaps: distinctGaps([...lists, ...relationLists].flatMap(({ gaps }) => gaps)).slice(0, mostGaps),
      asOf: clock.now().toISOString(),
    }
  }
}

function mayRead({ role }: InventoryAsk, kind: string): boolean {
  const permission = resourceKindOf(kind)?.permission
  return permission !== undefined && mayNow(role, permission)
}

/** Whether the API key of the present request, if there is one, is limited to other things. */
function keyLimits(): (resource: Resource) => boolean {
  const limits = limitableTypes.flatMap((type) => {
    const ids = limitNow(type)
    return ids === undefined ? [] : [{ type, ids: new Set(ids) }]
  })
  if (limits.length === 0) return () => true
  return ({ id, cluster }) =>
    limits.some(
      ({ type, ids }) =>
        (id.startsWith(`${type}:`) && ids.has(id.slice(type.length + 1))) ||
        (type === 'cluster' && cluster !== null && ids.has(String(cluster.id))),
    )
}

/** Relations that the resource itself says: where it is, and who made it. */
function placeRelations({ id, kind, cluster, namespace, createdBy }: Resource): Relation[] {
  const relations: Relation[] = []
  if (createdBy)
    relations.push({ from: id, to: entityResourceId('member', createdBy.id), verb: 'created_by' })
  if (!cluster) return relations
  if (namespace !== null && namespace !== '') {
    const to = objectResourceId({ kind: 'namespace', clusterId: cluster.id, namespace: '', name: namespace })
    relations.push({ from: id, to, verb: 'belongs_to' })
  } else if (kind === 'node' || kind === 'namespace') {
    const to = entityResourceId('cluster', cluster.id)
    relations.push({ from: id, to, verb: kind === 'node' ? 'part_of' : 'belongs_to' })
  }
  return relations
}

const endOf = (relation: LabelledRelation) =>
  'to' in relation ? { to: relation.to, verb: relation.verb } : { from: relation.from, verb: relation.verb }

/** Relations of objects that their sources know by their labels. */
function labelledRelations(resources: Iterable<Resource>, labelled: readonly LabelledRelation[]): Relation[] {
  if (labelled.length === 0) return []
  const places = Map.groupBy(
    labelled,
    ({ kind, clusterId, namespace }) => `${kind} ${clusterId} ${namespace}`,
  )
  const relations: Relation[] = []
  for (const { id, kind, cluster, namespace, labels } of resources) {
    const near = cluster && places.get(`${kind} ${cluster.id} ${namespace}`)
    for (const relation of near ?? [])
      if (Object.entries(relation.labels).every(([label, value]) => labels[label] === value))
        relations.push({ from: id, to: id, ...endOf(relation) })
  }
  return relations
}

/** Throws AppError `not_found` where it is not there, or may not be seen. */
export function resourceOf({ resources }: Snapshot, id: string): Resource {
  const resource = resources.get(id)
  if (!resource)
    throw new AppError(
      'not_found',
      `There is no resource ${id}. It was deleted, or your role may not see it.`,
    )
  return resource
}
