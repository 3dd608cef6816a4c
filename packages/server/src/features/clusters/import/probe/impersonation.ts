import type { ConnectionRights } from '@bey/contract'

import type { ContextConnection } from '../kubeconfig.ts'
import type { Ask, Attributes } from './ask-cluster.ts'

/** What each group that represents a role in Bey must be allowed, for members to be named to the cluster. */
const needed: readonly (readonly [string, Attributes])[] = [
  ['bey:viewers', { verb: 'list', resource: 'pods' }],
  ['bey:editors', { verb: 'create', group: 'apps', resource: 'deployments' }],
  ['bey:admins', { verb: 'delete', group: 'apps', resource: 'deployments' }],
]

const bindings = [
  'kubectl create clusterrolebinding bey:viewers --clusterrole=view --group=bey:viewers',
  'kubectl create clusterrolebinding bey:editors --clusterrole=edit --group=bey:editors',
  'kubectl create clusterrolebinding bey:admins --clusterrole=cluster-admin --group=bey:admins',
]

/**
 * Whether Bey can name its members to the cluster, so that the cluster's own RBAC and audit log know them: it must be
 * allowed to impersonate users and groups, and the groups that represent roles must be bound to something.
 */
export async function readImpersonation(
  ask: Ask,
  { actsAs }: ContextConnection,
): Promise<ConnectionRights['impersonation']> {
  if (actsAs) return off(`The kubeconfig says as: ${actsAs.user}, so Bey acts as that user for every member.`)
  const [users, groups] = await Promise.all(
    ['users', 'groups'].map((resource) => ask.may({ verb: 'impersonate', resource })),
  )
  if (!users || !groups)
    return off('This identity may not impersonate users and groups, so Bey acts as it for every member.')
  const bound = await Promise.all(
    needed.map(([group, attributes]) =>
      ask.may(attributes, { 'impersonate-user': 'bey:test', 'impersonate-group': group }),
    ),
  )
  if (bound.every(Boolean))
    return {
      isUsed: true,
      reason: 'Members are named to the cluster under the group of their role.',
      commands: [],
    }
  return off(
    'This identity may impersonate, but the cluster binds the groups of Bey’s roles to nothing, so Bey acts as it for every member. Bind them and test again to let the cluster know who does what.',
    bindings,
  )
}

const off = (reason: string, commands: string[] = []) => ({ isUsed: false, reason, commands })
