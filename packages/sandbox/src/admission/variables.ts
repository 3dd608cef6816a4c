import type { Cluster } from '../api/context.ts'
import type { WriteOptions } from '../api/resources.ts'
import { Authorizer } from '../cel/authorizer-library.ts'
import { celValue } from '../cel/cel.ts'
import { plain, type JsonObject } from '../json.ts'
import { scaleOf } from '../registry/scale.ts'
import { namespaces } from '../types.ts'
import { uuidOf } from '../uuid.ts'
import type { Attempt, Operation } from './match.ts'

/** Controllers are part of the server, and may do everything. */
const controllerUser = 'system:apiserver'
const masters = 'system:masters'

const optionKinds: Partial<Record<Operation, string>> = {
  create: 'CreateOptions',
  update: 'UpdateOptions',
  delete: 'DeleteOptions',
}

/** What a write is about as its client sees it: the object, or the Scale of it. */
function seen({ kind, object, old, subresource }: Attempt): { object: JsonObject; old: JsonObject | null } {
  if (subresource !== 'scale') return { object, old: old ?? null }
  return { object: scaleOf(kind, object), old: old ? scaleOf(kind, old) : null }
}

/** The kind of what is written; below an object that is often another than the object's own. */
function kindOf(attempt: Attempt): JsonObject {
  const { group, version, kind } = attempt.kind
  const { object } = seen(attempt)
  if (object['kind'] === kind) return { group, version, kind }
  const [first = '', second] = plain(object['apiVersion'] ?? '').split('/')
  return { group: second === undefined ? '' : first, version: second ?? first, kind: object['kind'] ?? '' }
}

/** A write as an AdmissionRequest describes it, save for the objects. */
function headOf(cluster: Cluster, attempt: Attempt, by: WriteOptions): JsonObject {
  const { operation, kind, object, subresource } = attempt
  const { namespace = '', name, uid } = object.metadata
  const { group, version, resource } = kind
  const ofKind = kindOf(attempt)
  const options = optionKinds[operation]
  const ofResource = { group, version, resource }
  return {
    uid: uuidOf(`${uid}/${operation}/${cluster.store.revision}`),
    kind: ofKind,
    resource: ofResource,
    requestKind: ofKind,
    requestResource: ofResource,
    ...(subresource ? { subResource: subresource, requestSubResource: subresource } : {}),
    name,
    namespace,
    operation: operation.toUpperCase(),
    userInfo: { username: by.user ?? controllerUser, groups: [...(by.groups ?? [])] },
    dryRun: by.dryRun === true,
    options: options === undefined ? null : { kind: options, apiVersion: 'meta.k8s.io/v1' },
  }
}

/** The `request` of an AdmissionReview. */
export function describeAttempt(cluster: Cluster, attempt: Attempt, by: WriteOptions): JsonObject {
  const { object, old } = seen(attempt)
  return {
    ...headOf(cluster, attempt, by),
    object: attempt.operation === 'delete' ? null : object,
    oldObject: old,
  }
}

function authorizerOf({ store }: Cluster, attempt: Attempt, by: WriteOptions): Authorizer {
  const { group, resource } = attempt.kind
  const { namespace = '', name } = attempt.object.metadata
  const user = { name: by.user ?? controllerUser, groups: [...(by.groups ?? [masters])] }
  return new Authorizer(store, user, {
    group,
    resource,
    subresource: attempt.subresource ?? '',
    namespace,
    name,
  })
}

/** What expressions about a write can speak of. */
export function attemptVariables(
  cluster: Cluster,
  attempt: Attempt,
  by: WriteOptions,
): Record<string, unknown> {
  const { object, old } = seen(attempt)
  const namespace = cluster.store.find(namespaces.key, undefined, attempt.object.metadata.namespace ?? '')
  return {
    object: attempt.operation === 'delete' ? null : celValue(object),
    oldObject: celValue(old),
    request: celValue({ subResource: '', ...headOf(cluster, attempt, by) }),
    namespaceObject: celValue(namespace ?? null),
    authorizer: authorizerOf(cluster, attempt, by),
  }
}
