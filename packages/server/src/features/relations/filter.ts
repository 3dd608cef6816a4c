import type { ParsedInput, RelationVerb } from '@bey/contract'
import type { Resource } from '../../platform/inventory.ts'
import { neighbours } from './graph/walk.ts'
import { resourceOf, type Snapshot } from './snapshot.ts'

type Filters = Omit<ParsedInput<'relations.list'>['query'], 'page' | 'limit'>

/**
 * The resources that a query asks for; `selected` holds those that its words find, if it has any. Throws AppError
 * `not_found` where its focus is not there.
 */
export function matching(snapshot: Snapshot, filters: Filters, selected?: ReadonlySet<string>): Resource[] {
  const { kinds, cluster, namespace, label, focus, direction, depth, verb } = filters
  if (focus !== undefined) resourceOf(snapshot, focus)
  const near =
    focus === undefined
      ? undefined
      : neighbours(snapshot.index, focus, { direction, depth, ...(verb && { follows: only(verb) }) })
  const wanted = kinds && kinds.length > 0 ? new Set(kinds) : undefined
  const isLabelled = labelTest(label)
  return [...snapshot.resources.values()].filter(
    (resource) =>
      (!selected || selected.has(resource.id) || resource.id === focus) &&
      (!wanted || wanted.has(resource.kind) || resource.id === focus) &&
      (cluster === undefined || resource.cluster?.id === cluster) &&
      (namespace === undefined || resource.namespace === namespace) &&
      isLabelled(resource) &&
      (!near || near.has(resource.id)),
  )
}

const only = (wanted: RelationVerb) => (verb: RelationVerb) => verb === wanted

function labelTest(label: string | undefined): (resource: Resource) => boolean {
  if (label === undefined || label === '') return () => true
  const at = label.indexOf('=')
  const key = at < 0 ? label : label.slice(0, at)
  const value = at < 0 ? undefined : label.slice(at + 1)
  return ({ labels }) => Object.hasOwn(labels, key) && (value === undefined || labels[key] === value)
}

/** Relations between resources that are among these. */
export function relationsAmong({ index }: Snapshot, ids: { has(id: string): boolean }, verb?: RelationVerb) {
  return index.all.filter(
    (relation) => ids.has(relation.from) && ids.has(relation.to) && (!verb || relation.verb === verb),
  )
}
