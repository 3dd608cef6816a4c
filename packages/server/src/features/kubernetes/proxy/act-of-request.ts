import type { KubernetesAct } from '@bey/contract'
import { asRecord } from './object-in-body.ts'
import type { RequestInfo, ResourceInfo } from './request-info.ts'

/** A field that a patch sets, and to what; list items that are merged by their names count as `*`. */
type Change = { path: string; value: unknown }

/** Whether only the body of a request says what it is for. */
export function isActInBody({ verb, resource }: RequestInfo): boolean {
  return verb === 'patch' && resource !== undefined && resource.subresource === ''
}

/**
 * What a write to one object is for, where that is more than its verb: Kubernetes knows no requests to restart, pause or
 * cordon, and these are patches of one field, as kubectl and the console send them. Of a patch only its kind is read.
 */
export function actOfRequest(
  { verb, resource }: RequestInfo,
  body: Buffer | undefined,
  contentType: string | undefined,
): KubernetesAct | undefined {
  if (!resource) return undefined
  const { name, subresource } = resource
  if (subresource === 'scale') return verb === 'get' ? undefined : 'scale'
  if (name === 'pods' && subresource === 'eviction') return 'evict'
  if (name === 'serviceaccounts' && subresource === 'token') return 'create_token'
  if (verb !== 'patch' || subresource !== '') return undefined
  if (contentType?.includes('apply-patch')) return 'apply'
  const changes = changesIn(body)
  return changes && changes.length > 0 ? actOfChanges(resource, changes) : undefined
}

function actOfChanges({ name }: ResourceInfo, changes: readonly Change[]): KubernetesAct | undefined {
  const only = (pattern: RegExp) => changes.every(({ path }) => pattern.test(path))
  const isOn = changes[0]?.value === true
  if (only(/^spec\.template\.metadata\.annotations\.kubectl\.kubernetes\.io\/restartedAt$/)) return 'restart'
  if (isTemplateReplaced(changes)) return 'rollback'
  if (only(/^spec\.unschedulable$/)) return isOn ? 'cordon' : 'uncordon'
  if (only(/^spec\.(paused|suspend)$/)) return isOn ? 'pause' : 'resume'
  if (only(/^spec\.replicas$/)) return 'scale'
  if (only(/^spec\.taints(\.|$)/)) return 'taint'
  if (only(/^spec\.template\.spec\.(initC|c)ontainers\.\*\.(name|image)$/)) return 'set_image'
  if (name === 'persistentvolumeclaims' && only(/^spec\.resources\.requests\.storage$/)) return 'resize'
  if (only(/^metadata\.labels(\.|$)/)) return 'label'
  return only(/^metadata\.annotations(\.|$)/) ? 'annotate' : undefined
}

/** A whole template, as of an earlier revision, takes the place of the one that is there, beside notes about that. */
function isTemplateReplaced(changes: readonly Change[]): boolean {
  const rest = changes.filter(({ path }) => !/^metadata\.annotations(\.|$)/.test(path))
  return (
    rest.every(({ path }) => /^spec\.template(\.|$)/.test(path)) &&
    rest.some(
      ({ path, value }) =>
        path === 'spec.template' || (path === 'spec.template.$patch' && value === 'replace'),
    )
  )
}

/** Undefined where the body is no JSON: the cluster itself says what is wrong with it. */
function changesIn(body: Buffer | undefined): Change[] | undefined {
  if (!body) return undefined
  try {
    const patch: unknown = JSON.parse(body.toString())
    return Array.isArray(patch) ? patch.flatMap(changeOfOperation) : changesOfMerge(patch, '', 0)
  } catch {
    return undefined
  }
}

/** RFC 6902; tests change nothing. */
function changeOfOperation(operation: unknown): Change[] {
  const { op, path, value } = asRecord(operation)
  if (op === 'test' || typeof path !== 'string') return []
  const names = path.split('/').slice(1)
  return [{ path: names.map((each) => each.replaceAll('~1', '/').replaceAll('~0', '~')).join('.'), value }]
}

/** Deeper than any field that is looked for. */
const maxDepth = 12

/** What the API server keeps of its own, and what guards a patch against others, sets nothing. */
const guards = /^(metadata\.(resourceVersion|uid|name|namespace|generation)|kind|apiVersion)$/

function changesOfMerge(patch: unknown, path: string, depth: number): Change[] {
  const isBranch = typeof patch === 'object' && patch !== null && depth < maxDepth
  if (!isBranch) return guards.test(path) ? [] : [{ path, value: patch }]
  if (Array.isArray(patch)) {
    return patch.flatMap((item) => changesOfMerge(item, `${path}.*`, depth + 1))
  }
  return Object.entries(patch).flatMap(([name, value]) =>
    // How a strategic merge orders its lists.
    name.startsWith('$setElementOrder') || name.startsWith('$retainKeys')
      ? []
      : changesOfMerge(value, path === '' ? name : `${path}.${name}`, depth + 1),
  )
}
