import type { Permission } from '@bey/contract'
import { mayDo } from '../../../platform/keys/key-rights.ts'
import type { ClusterConnection } from '../connection/ports.ts'
import type { Admitted } from './admission.ts'
import type { Verdict } from './authorize.ts'
import { authorize } from './authorize.ts'
import type { ProxyCaller } from './caller.ts'
import { asRecord, fieldOf, protobufMagic } from './object-in-body.ts'
import type { RequestInfo } from './request-info.ts'
import type { StatusObject } from './status-object.ts'
import { unsupportedMediaType } from './status-object.ts'

/** What Bey answers instead of the cluster: an object of Kubernetes, or a failure. */
export type OwnAnswer = { code: number; object: object }

/** The attributes of `SelfSubjectAccessReview` (authorization.k8s.io), of which one of the two is set. */
type Attributes = { verb: string; path: string } | { verb: string; resource: RequestInfo['resource'] }

/**
 * Answers a question about the caller's own identity or rights, as far as Bey decides it. Undefined where the cluster has
 * the last word: it is asked in the caller's name or, where Bey's account may not impersonate, as the identity that
 * carries out the caller's requests.
 */
export function answerSelfReview(
  { caller, info, identity, isImpersonated }: Admitted,
  connection: ClusterConnection,
  body: Buffer,
  contentType: string | undefined,
): OwnAnswer | undefined {
  const kind = info.resource?.name
  if (kind === 'selfsubjectreviews') {
    // Where the cluster knows whom it answers, it also knows the rest of the identity.
    if (connection.impersonate || isImpersonated) return undefined
    const extra = connection.identity ? { 'bey/acts-as': [connection.identity] } : {}
    const userInfo = { username: identity.user, groups: [...identity.groups, 'system:authenticated'], extra }
    return created(info, 'SelfSubjectReview', { status: { userInfo } })
  }
  if (kind !== 'selfsubjectaccessreviews') return undefined
  const spec = specOf(body, contentType)
  if (spec === 'unreadable') return failed(unsupportedMediaType())
  const attributes = spec && attributesOf(spec)
  const verdict = attributes && verdictOn(attributes, caller, connection)
  // The cluster itself says what is wrong with a question, and decides what Bey allows.
  if (!verdict || verdict.isAllowed) return undefined
  const status = { allowed: false, denied: true, reason: verdict.reason }
  return created(info, 'SelfSubjectAccessReview', { spec, status })
}

function created({ path }: RequestInfo, kind: string, fields: object): OwnAnswer {
  const [, , group = '', version = ''] = path.split('/')
  const head = { kind, apiVersion: `${group}/${version}`, metadata: { creationTimestamp: null } }
  return { code: 201, object: { ...head, ...fields } }
}

function failed(status: StatusObject): OwnAnswer {
  return { code: status.code, object: status }
}

/** Bey's part of the answer: whether it would send such a request on. A wildcard asks for everything it stands for. */
function verdictOn(attributes: Attributes, caller: ProxyCaller, connection: ClusterConnection): Verdict {
  const isAny = attributes.verb === '*'
  if ('path' in attributes) {
    const path = attributes.path.startsWith('/') ? attributes.path : `/${attributes.path}`
    const verbs = isAny ? ['get', 'post', 'delete'] : [attributes.verb]
    return firstRefusal(verbs.map((verb) => authorize(caller, { verb, path, resource: undefined })))
  }
  const verbs = isAny ? ['get', 'create', 'delete', 'impersonate'] : [attributes.verb]
  if (verbs.includes('impersonate') && !isAny && !connection.impersonate) {
    return { isAllowed: false, reason: 'Bey’s account in this cluster may not impersonate anybody' }
  }
  const { resource } = attributes
  if (!resource) return { isAllowed: true }
  const names = resource.name === '*' ? ['pods', 'secrets'] : [resource.name]
  const isAnyPart = resource.subresource === '*' || resource.name === '*'
  const parts = isAnyPart ? ['', 'exec'] : [resource.subresource]
  const asked = names.flatMap((name) => parts.map((subresource) => ({ ...resource, name, subresource })))
  return firstRefusal(
    asked.flatMap((each) => verbs.map((verb) => authorize(caller, { verb, path: '/api', resource: each }))),
  )
}

function firstRefusal(verdicts: readonly Verdict[]): Verdict {
  return verdicts.find(({ isAllowed }) => !isAllowed) ?? { isAllowed: true }
}

/** Whether there is anything at all that Bey keeps from the caller in a cluster. */
export function mayDoEverything({ role, apiKey }: Pick<ProxyCaller, 'role' | 'apiKey'>): boolean {
  const all: readonly Permission[] = [
    'kubernetes.read',
    'kubernetes.write',
    'kubernetes.delete',
    'kubernetes.exec',
    'kubernetes.secrets',
    'kubernetes.impersonate',
  ]
  return role === undefined || all.every((each) => mayDo({ role, key: apiKey }, each))
}

/** Undefined where the body is not what its type says: the cluster refuses it. */
function specOf(
  body: Buffer,
  contentType: string | undefined,
): Record<string, unknown> | undefined | 'unreadable' {
  try {
    if (body.subarray(0, 4).equals(protobufMagic)) return specInProtobuf(body.subarray(4))
    if (contentType && !contentType.includes('json')) return 'unreadable'
    return asRecord(asRecord(JSON.parse(body.toString()))['spec'])
  } catch {
    // Whatever it is, the cluster cannot read it either.
    return undefined
  }
}

const resourceFields = ['namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name']
const pathFields = ['path', 'verb']

/** `k8s.io/api/authorization/v1`: the review holds its spec as 2, that the attributes as 1 and 2, their texts in order. */
function specInProtobuf(envelope: Buffer): Record<string, unknown> | undefined {
  const review = fieldOf(envelope, 2)
  const spec = review && fieldOf(review, 2)
  if (!spec) return undefined
  const texts = (message: Buffer, names: readonly string[]) =>
    Object.fromEntries(names.map((name, index) => [name, fieldOf(message, index + 1)?.toString() ?? '']))
  const [resource, path] = [fieldOf(spec, 1), fieldOf(spec, 2)]
  return {
    ...(resource && { resourceAttributes: texts(resource, resourceFields) }),
    ...(path && { nonResourceAttributes: texts(path, pathFields) }),
  }
}

function attributesOf(spec: Record<string, unknown>): Attributes | undefined {
  if (spec['nonResourceAttributes'] !== undefined) {
    const asked = asRecord(spec['nonResourceAttributes'])
    return { verb: text(asked['verb']), path: text(asked['path']) }
  }
  if (spec['resourceAttributes'] === undefined) return undefined
  const asked = asRecord(spec['resourceAttributes'])
  const resource = {
    group: text(asked['group']),
    name: text(asked['resource']),
    subresource: text(asked['subresource']),
    namespace: text(asked['namespace']),
    objectName: text(asked['name']),
  }
  return { verb: text(asked['verb']), resource }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
