import { at, isObject, textAt, type JsonObject } from '../json.ts'
import { mediaType, parseObject, readBody } from '../http/body.ts'
import type { User } from '../http/authenticate.ts'
import { sendJson } from '../http/respond.ts'
import { badRequest, invalid, field } from '../status-error.ts'
import type { Store } from '../store/store.ts'
import { decodeBody } from '../api/coder.ts'
import { fieldValidation, warnClient, type ApiRequest } from '../api/request.ts'
import { isAllowed, rulesFor, type Attributes } from './rbac.ts'

function attributesOf(spec: JsonObject): Attributes | undefined {
  const resource = spec['resourceAttributes']
  if (isObject(resource)) {
    return {
      verb: textAt(resource, 'verb') ?? '',
      group: textAt(resource, 'group') ?? '',
      resource: textAt(resource, 'resource') ?? '',
      subresource: textAt(resource, 'subresource') ?? '',
      namespace: textAt(resource, 'namespace') ?? '',
      name: textAt(resource, 'name') ?? '',
    }
  }
  const other = spec['nonResourceAttributes']
  return isObject(other)
    ? { verb: textAt(other, 'verb') ?? '', path: textAt(other, 'path') ?? '' }
    : undefined
}

function accessStatus(store: Store, user: User, spec: JsonObject, call: ApiRequest): JsonObject {
  const asked = attributesOf(spec)
  if (!asked) {
    const text = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
    throw invalid(call.kind, '', [field.invalid('spec.resourceAttributes', spec, text)])
  }
  const allowed = isAllowed(store, user, asked)
  return allowed ? { allowed, reason: 'RBAC: allowed' } : { allowed }
}

function userStatus(user: User): JsonObject {
  return {
    username: user.name,
    ...(user.uid ? { uid: user.uid } : {}),
    groups: user.groups,
    ...(user.extra ? { extra: user.extra } : {}),
  }
}

function rulesStatus(store: Store, user: User, namespace: string): JsonObject {
  const rules = rulesFor(store, user, namespace)
  const resourceRules = rules.filter((rule) => !rule.nonResourceURLs?.length)
  const nonResourceRules = rules.flatMap((rule) =>
    rule.nonResourceURLs?.length ? [{ verbs: rule.verbs, nonResourceURLs: rule.nonResourceURLs }] : [],
  )
  const list = resourceRules.map(({ verbs, apiGroups = [], resources = [], resourceNames }) => ({
    verbs,
    apiGroups,
    resources,
    ...(resourceNames ? { resourceNames } : {}),
  }))
  return { incomplete: false, resourceRules: list, nonResourceRules }
}

function someone(spec: JsonObject): User {
  const groups = at(spec, 'groups')
  return { name: textAt(spec, 'user') ?? '', groups: Array.isArray(groups) ? groups.map(String) : [] }
}

/** Answers the kinds that are questions: who am I, may I, may they, is this token good. */
export async function handleReview(
  call: ApiRequest,
  resolve: (token: string) => User | undefined,
): Promise<void> {
  const { cluster, kind, user, request, response } = call
  const raw = parseObject(await readBody(request), mediaType(request), call.kind.kind)
  const body = decodeBody(kind, raw, fieldValidation(call.query), warnClient(call))
  const found = body['spec']
  const spec = isObject(found) ? found : {}
  let status: JsonObject
  if (kind.kind === 'SelfSubjectReview') status = { userInfo: userStatus(user) }
  else if (kind.kind === 'SelfSubjectAccessReview') status = accessStatus(cluster.store, user, spec, call)
  else if (kind.kind === 'SelfSubjectRulesReview') {
    const namespace = textAt(spec, 'namespace')
    if (!namespace) throw badRequest('no namespace on request')
    status = rulesStatus(cluster.store, user, namespace)
  } else if (kind.kind === 'TokenReview') {
    const owner = resolve(textAt(spec, 'token') ?? '')
    status = owner
      ? { authenticated: true, user: userStatus(owner) }
      : { user: {}, error: 'invalid bearer token' }
  } else status = accessStatus(cluster.store, someone(spec), spec, call)
  const metadata = isObject(body['metadata']) ? body['metadata'] : {}
  const version = `${kind.group}/${kind.version}`
  sendJson(response, 201, {
    kind: kind.kind,
    apiVersion: version,
    metadata: { creationTimestamp: null, ...metadata },
    spec,
    status,
  })
}
