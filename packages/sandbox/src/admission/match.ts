import { isObject, listAt, objectAt, plain, textAt, type Json, type JsonObject } from '../json.ts'
import type { Kind } from '../registry/kind.ts'
import { labelSelector } from '../selectors.ts'
import type { Store } from '../store/store.ts'
import { namespaces, type KubeObject } from '../types.ts'

export type Operation = 'create' | 'update' | 'delete' | 'connect'

/** A write that somebody is to judge. */
export type Attempt = {
  operation: Operation
  kind: Kind
  object: KubeObject
  old: KubeObject | undefined
  subresource: string | undefined
}

function includes(list: Json[], word: string): boolean {
  return list.some((one) => one === '*' || one === word)
}

function isResource(list: Json[], resource: string, subresource: string | undefined): boolean {
  return list.some((one) => {
    const [wanted, below] = plain(one).split('/')
    if (wanted !== '*' && wanted !== resource) return false
    return below === undefined ? subresource === undefined : below === '*' || below === subresource
  })
}

function isRule(rule: Json, { operation, kind, object, subresource }: Attempt): boolean {
  const names = listAt(rule, 'resourceNames')
  const scope = textAt(rule, 'scope') ?? '*'
  return (
    includes(listAt(rule, 'operations'), operation.toUpperCase()) &&
    includes(listAt(rule, 'apiGroups'), kind.group) &&
    includes(listAt(rule, 'apiVersions'), kind.version) &&
    isResource(listAt(rule, 'resources'), kind.resource, subresource) &&
    (names.length === 0 || names.includes(object.metadata.name)) &&
    (scope === '*' || (scope === 'Namespaced') === kind.namespaced)
  )
}

function selects(selector: JsonObject | undefined, labels: Record<string, string> | undefined): boolean {
  // The model of every kind with selectors has decoded this one.
  return selector === undefined || labelSelector(selector)(labels)
}

/** Whether rules and selectors (`rules` or `resourceRules`, as policies, bindings and webhooks have them) mean a write. */
export function matchesWrite(store: Store, where: Json | undefined, attempt: Attempt): boolean {
  if (!isObject(where)) return true
  const { kind, object, old } = attempt
  const rules = [...listAt(where, 'resourceRules'), ...listAt(where, 'rules')]
  if (rules.length > 0 && !rules.some((rule) => isRule(rule, attempt))) return false
  if (listAt(where, 'excludeResourceRules').some((rule) => isRule(rule, attempt))) return false
  const own = objectAt(where, 'objectSelector')
  if (!selects(own, object.metadata.labels) && !(old && selects(own, old.metadata.labels))) return false
  const place = objectAt(where, 'namespaceSelector')
  if (!place || (!kind.namespaced && kind.key !== namespaces.key)) return true
  const name = kind.namespaced ? object.metadata.namespace : object.metadata.name
  const labels =
    kind.key === namespaces.key
      ? object.metadata.labels
      : store.get(namespaces, undefined, name ?? '')?.metadata.labels
  return selects(place, labels)
}
