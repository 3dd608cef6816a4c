import { clone, isObject, numberAt, objectAt, textAt, put, type JsonObject } from '../json.ts'
import { isAllowed } from '../authz/rbac.ts'
import { mediaType, parseObject, parseText, readBody } from '../http/body.ts'
import { sendJson } from '../http/respond.ts'
import { applyJsonPatch } from '../patch/json-patch.ts'
import { applyMergePatch } from '../patch/merge-patch.ts'
import {
  badRequest,
  conflict,
  field,
  invalid,
  methodNotAllowed,
  staleText,
  StatusError,
} from '../status-error.ts'
import { tableOf } from '../table/table.ts'
import { pods, signingRequests, type KubeObject } from '../types.ts'
import { scaleKind, scaleOf } from '../registry/scale.ts'
import { rowObject, sendObject } from '../api/list.ts'
import { viewOf, type ApiRequest } from '../api/request.ts'
import { changeObject, handlePatch, noSubresource, readOwnBody } from '../api/write.ts'
import { decode } from '../schema/decode.ts'
import { decodeBody } from '../api/coder.ts'
import { writeOptions } from '../api/write-options.ts'
import { handleBinding } from './binding.ts'
import { handleEviction } from './eviction.ts'
import { handleLog } from './log.ts'
import { handlePodPart } from './pod-parts.ts'
import { handleProxy } from './proxy.ts'
import { handleToken } from './token.ts'

function sendScale(call: ApiRequest, scale: KubeObject): void {
  const { cluster, query, response } = call
  if (viewOf(call) !== 'table') return sendJson(response, 200, scale)
  const metadata = { resourceVersion: scale.metadata.resourceVersion }
  const now = cluster.clock.now()
  sendJson(
    response,
    200,
    tableOf(scaleKind, [scale], metadata, now, rowObject(query), (one) => one),
  )
}

async function handleScale(call: ApiRequest, verb: string): Promise<void> {
  const { cluster, kind, namespace, name, request } = call
  if (!kind.scale) throw noSubresource(call)
  const current = cluster.resources.get(kind, namespace, name)
  const scale = scaleOf(kind, current)
  if (verb === 'get') return sendScale(call, scale)
  const bytes = await readBody(request)
  const type = mediaType(request)
  const inPatch = (fault: string) => `error decoding patch: ${fault}`
  let next: JsonObject
  if (verb === 'update') next = parseObject(bytes, type, 'Scale')
  else if (type === 'application/json-patch+json')
    next = applyJsonPatch(scale, parseText(bytes, false, inPatch))
  else {
    const patch = parseText(bytes, type === 'application/apply-patch+yaml', inPatch)
    if (!isObject(patch)) throw badRequest('the patch is not an object')
    next = applyMergePatch(scale, patch)
  }
  const { value } = decode('V1Scale', next)
  const replicas = numberAt(value, 'spec', 'replicas') ?? 0
  if (replicas < 0) {
    throw invalid(scaleKind, name, [
      field.invalid('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ])
  }
  const version = textAt(value, 'metadata', 'resourceVersion')
  if (version && version !== current.metadata.resourceVersion) throw conflict(kind, name, staleText)
  const paths = kind.scale
  const result = await changeObject({ ...call, subresource: 'scale' }, (object) => {
    const copy = clone(object)
    put(copy, paths.spec, replicas)
    return copy
  })
  call.cluster.store.flush()
  sendScale(call, scaleOf(kind, result))
}

async function handleStatus(call: ApiRequest, verb: string): Promise<void> {
  const { cluster, kind, namespace, name } = call
  if (verb === 'get') return sendObject(call, cluster.resources.get(kind, namespace, name))
  if (verb === 'patch') return handlePatch(call)
  if (verb !== 'update') throw methodNotAllowed()
  const body = await readOwnBody(call)
  sendObject(call, await changeObject(call, () => body))
}

async function handleFinalize(call: ApiRequest): Promise<void> {
  const { cluster, kind, name } = call
  const raw = parseObject(await readBody(call.request), mediaType(call.request), kind.kind)
  const body = decodeBody(kind, raw, 'Ignore', () => undefined)
  const finalizers = objectAt(body, 'spec')?.['finalizers']
  const current = cluster.resources.get(kind, undefined, name)
  const changed = clone(current)
  put(
    changed,
    ['spec', 'finalizers'],
    Array.isArray(finalizers) && finalizers.length > 0 ? finalizers : undefined,
  )
  cluster.resources.review('update', kind, changed, current, writeOptions(call))
  const isDone = !Array.isArray(finalizers) || finalizers.length === 0
  const written = cluster.store.write(kind.key, changed)
  if (isDone && current.metadata.deletionTimestamp && !current.metadata.finalizers?.length)
    cluster.store.remove(kind.key, undefined, name)
  sendObject(call, written)
}

/** Approving takes, beyond the right to write here, the right to approve for the signer that is asked. */
function requireSigner({ cluster, user, name }: ApiRequest): void {
  const signer = cluster.store.get(signingRequests, undefined, name)?.spec.signerName
  if (signer === undefined) return
  const asked = { verb: 'approve', group: 'certificates.k8s.io', resource: 'signers' }
  // A right for `example.com/*` holds for every signer of that domain.
  const names = [signer, `${signer.split('/')[0]}/*`]
  if (names.some((one) => isAllowed(cluster.store, user, { ...asked, name: one }))) return
  throw new StatusError(
    403,
    'Forbidden',
    `certificatesigningrequests.certificates.k8s.io ${JSON.stringify(name)} is forbidden: user not permitted to approve requests with signerName ${JSON.stringify(signer)}`,
    { name, group: 'certificates.k8s.io', kind: 'certificatesigningrequests' },
  )
}

/** Whether a certificate is approved stands in the status of its request. */
async function handleApproval(call: ApiRequest, verb: string): Promise<void> {
  if (verb !== 'get') requireSigner(call)
  return handleStatus({ ...call, subresource: 'status', admittedAs: 'approval' }, verb)
}

/** Serves what lies below an object: `/status`, `/scale`, `/log` and so on. */
export async function handleSubresource(call: ApiRequest, verb: string): Promise<void> {
  const { kind, subresource = '' } = call
  if (call.name === '') throw noSubresource(call)
  if (subresource === 'status' && kind.hasStatus) return handleStatus(call, verb)
  if (subresource === 'scale') return handleScale(call, verb)
  const known = kind.subresources?.find((one) => one.name === subresource)
  if (!known) throw noSubresource(call)
  if (!known.verbs.includes(verb)) throw methodNotAllowed()
  if (kind.key === pods.key && subresource === 'log') return handleLog(call)
  if (subresource === 'eviction') return handleEviction(call)
  if (subresource === 'binding') return handleBinding(call)
  if (subresource === 'proxy') return handleProxy(call)
  if (subresource === 'token') return handleToken(call)
  if (subresource === 'finalize') return handleFinalize(call)
  if (subresource === 'ephemeralcontainers' || subresource === 'resize') return handlePodPart(call, verb)
  if (subresource === 'approval') return handleApproval(call, verb)
  // exec, attach and port-forward arrive as upgrades, which have a door of their own.
  throw badRequest('Upgrade request required')
}
