import type { User } from '../http/authenticate.ts'
import type { Store } from '../store/store.ts'
import { labelSelector } from '../selectors.ts'
import {
  clusterRoleBindings,
  clusterRoles,
  roleBindings,
  roles,
  type ClusterRole,
  type RoleBinding,
} from '../types.ts'

export type Attributes =
  | { verb: string; group: string; resource: string; subresource?: string; namespace?: string; name?: string }
  | { verb: string; path: string }

export type Rule = NonNullable<ClusterRole['rules']>[number]

const superGroup = 'system:masters'

function isSubject(binding: RoleBinding, user: User): boolean {
  return (binding.subjects ?? []).some((subject) => {
    if (subject.kind === 'User') return subject.name === user.name
    if (subject.kind === 'Group') return user.groups.includes(subject.name)
    const namespace = subject.namespace ?? binding.metadata.namespace
    return user.name === `system:serviceaccount:${namespace}:${subject.name}`
  })
}

function covers(list: readonly string[] | undefined, wanted: string): boolean {
  return list?.includes('*') === true || list?.includes(wanted) === true
}

function coversResource(rule: Rule, resource: string, subresource: string | undefined): boolean {
  if (!subresource) return covers(rule.resources, resource)
  return (
    covers(rule.resources, `${resource}/${subresource}`) ||
    rule.resources?.includes(`*/${subresource}`) === true
  )
}

/** Whether one rule allows what is asked, after the RBAC reference. */
function ruleAllows(rule: Rule, asked: Attributes): boolean {
  if (!covers(rule.verbs, asked.verb)) return false
  if ('path' in asked) {
    return (rule.nonResourceURLs ?? []).some((url) =>
      url.endsWith('*') ? asked.path.startsWith(url.slice(0, -1)) : url === asked.path,
    )
  }
  if (!covers(rule.apiGroups, asked.group) || !coversResource(rule, asked.resource, asked.subresource))
    return false
  return !rule.resourceNames?.length || rule.resourceNames.includes(asked.name ?? '')
}

/** The rules of a ClusterRole, gathered from others where it says so. */
function clusterRules(store: Store, name: string): Rule[] {
  const role = store.get(clusterRoles, undefined, name)
  const selectors = role?.aggregationRule?.clusterRoleSelectors
  if (!selectors?.length) return role?.rules ?? []
  const tests = selectors.map(labelSelector)
  return store
    .list(clusterRoles)
    .filter((one) => one !== role && tests.some((test) => test(one.metadata.labels)))
    .flatMap((one) => one.rules ?? [])
}

function boundRules(store: Store, binding: RoleBinding): Rule[] {
  if (binding.roleRef.kind === 'ClusterRole') return clusterRules(store, binding.roleRef.name)
  return store.get(roles, binding.metadata.namespace, binding.roleRef.name)?.rules ?? []
}

/** Every rule that holds for a user, in a namespace or, without one, in the whole cluster. */
export function rulesFor(store: Store, user: User, namespace: string | undefined): Rule[] {
  if (user.groups.includes(superGroup)) {
    return [
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    ]
  }
  const found = store
    .list(clusterRoleBindings)
    .filter((one) => isSubject(one, user))
    .flatMap((one) => boundRules(store, one))
  if (namespace === undefined || namespace === '') return found
  const local = store.list(roleBindings, namespace).filter((one) => isSubject(one, user))
  return [...found, ...local.flatMap((one) => boundRules(store, one))]
}

export function isAllowed(store: Store, user: User, asked: Attributes): boolean {
  if (user.groups.includes(superGroup)) return true
  const namespace = 'path' in asked ? undefined : asked.namespace
  return rulesFor(store, user, namespace).some((rule) => ruleAllows(rule, asked))
}

/** The sentence with which an API server refuses. */
export function refusal(user: User, asked: Attributes): string {
  const who = `User ${JSON.stringify(user.name)}`
  if ('path' in asked) return `${who} cannot ${asked.verb} path ${JSON.stringify(asked.path)}`
  const resource = asked.subresource ? `${asked.resource}/${asked.subresource}` : asked.resource
  const scope = asked.namespace
    ? `in the namespace ${JSON.stringify(asked.namespace)}`
    : 'at the cluster scope'
  return `${who} cannot ${asked.verb} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(asked.group)} ${scope}`
}
