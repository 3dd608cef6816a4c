import type { Permission, Role } from '@bey/contract'
import { type KeyRights, mayDo } from '../../../platform/keys/key-rights.ts'
import type { RequestInfo } from './request-info.ts'

export type Verdict = { isAllowed: true } | { isAllowed: false; reason: string }

/** How a request is recorded: each by audit entries of its own, or only counted. */
export type AuditClass = 'write' | 'exec' | 'secret' | 'impersonated' | 'counted'

const readVerbs = new Set(['get', 'list', 'watch'])
const deletingVerbs = new Set(['delete', 'deletecollection'])
const intoContainers = new Set(['exec', 'attach', 'portforward', 'proxy', 'ephemeralcontainers'])
const selfReviews = new Set([
  'authorization.k8s.io/selfsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectrulesreviews',
  'authentication.k8s.io/selfsubjectreviews',
])
/** What the API server itself serves; a cluster's own extras (such as a sandbox's switches) stay behind. */
const openRoots = new Set(['', 'api', 'apis', 'openapi', 'version', 'healthz', 'livez', 'readyz'])

/** What a role needs for a request. Row by row: reviews of oneself read; into containers is exec; an eviction deletes; Secrets apart. */
export function neededPermissions(info: RequestInfo): Permission[] {
  const { resource, verb } = info
  if (!resource) return neededOfPath(verb)
  if (isSelfReview(info)) return ['kubernetes.read']
  // No request has this verb: it is asked about, by `kubectl auth can-i impersonate users`.
  if (verb === 'impersonate') return ['kubernetes.impersonate']
  if (intoContainers.has(resource.subresource)) return ['kubernetes.exec']
  const needed = [neededOfVerb(verb, resource.subresource)]
  if (isSecret(info)) needed.push('kubernetes.secrets')
  return needed
}

function neededOfPath(verb: string): Permission[] {
  if (verb === 'get' || verb === 'head') return ['kubernetes.read']
  return [verb === 'delete' ? 'kubernetes.delete' : 'kubernetes.write']
}

function neededOfVerb(verb: string, subresource: string): Permission {
  if (readVerbs.has(verb)) return 'kubernetes.read'
  return deletingVerbs.has(verb) || subresource === 'eviction' ? 'kubernetes.delete' : 'kubernetes.write'
}

/** Bey's own decision by role, before the cluster's RBAC decides on the impersonated user. Service accounts have none. */
export function authorize(
  { role, apiKey }: { role: Role | undefined; apiKey?: KeyRights | undefined },
  info: RequestInfo,
): Verdict {
  const root = info.path.split('/')[1] ?? ''
  if (!openRoots.has(root)) return { isAllowed: false, reason: 'Bey does not forward this path' }
  if (role === undefined) return { isAllowed: true }
  const missing = neededPermissions(info).find((permission) => !mayDo({ role, key: apiKey }, permission))
  if (missing === undefined) return { isAllowed: true }
  if (apiKey && !apiKey.permissions.has(missing))
    return { isAllowed: false, reason: `the API key ${apiKey.name} was not given ${missing}` }
  return { isAllowed: false, reason: `the role ${role} in this organization lacks ${missing}` }
}

export function auditClass({
  info,
  isImpersonated,
}: {
  info: RequestInfo
  isImpersonated: boolean
}): AuditClass {
  const kind = ownClass(info)
  return kind === 'counted' && isImpersonated ? 'impersonated' : kind
}

function ownClass(info: RequestInfo): AuditClass {
  const { resource, verb } = info
  if (!resource) return verb === 'get' || verb === 'head' ? 'counted' : 'write'
  if (isSelfReview(info)) return 'counted'
  if (intoContainers.has(resource.subresource)) return 'exec'
  if (!readVerbs.has(verb)) return 'write'
  return isSecret(info) ? 'secret' : 'counted'
}

/** Whether a request asks for the caller's own rights or identity. */
export function isSelfReview({ verb, resource }: RequestInfo): boolean {
  return (
    verb === 'create' && selfReviews.has(`${resource?.group}/${resource?.name}`) && !resource?.subresource
  )
}

/** By name alone: whatever group claims it, a kind called `secrets` is treated as one. */
function isSecret({ resource }: RequestInfo): boolean {
  return (
    resource?.name === 'secrets' || (resource?.name === 'serviceaccounts' && resource.subresource === 'token')
  )
}

/** The group that represents each role inside a cluster; its RBAC binds them to ClusterRoles. */
export const impersonatedGroup: Record<Role, string> = {
  OWNER: 'bey:admins',
  ADMIN: 'bey:admins',
  MEMBER: 'bey:editors',
  VIEWER: 'bey:viewers',
}
