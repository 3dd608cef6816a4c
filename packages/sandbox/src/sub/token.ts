import { stamp } from '../clock.ts'
import { issueToken } from '../authz/tokens.ts'
import { listAt, numberAt, objectAt } from '../json.ts'
import { mediaType, parseObject, readBody } from '../http/body.ts'
import { sendJson } from '../http/respond.ts'
import { admitBelow } from '../api/admitted.ts'
import type { ApiRequest } from '../api/request.ts'
import { decode } from '../schema/decode.ts'
import { field, invalid } from '../status-error.ts'

const shortestSeconds = 600
const longestSeconds = 48 * 60 * 60

/** Issues a token for a service account. */
export async function handleToken(call: ApiRequest): Promise<void> {
  const { cluster, kind, namespace = '', name, request, response } = call
  const account = cluster.resources.get(kind, namespace, name)
  const { value } = decode(
    'AuthenticationV1TokenRequest',
    parseObject(await readBody(request), mediaType(request), 'TokenRequest'),
  )
  await admitBelow(call, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', ...value })
  const asked = numberAt(value, 'spec', 'expirationSeconds') ?? 3600
  if (asked < shortestSeconds) {
    const tokenKind = { group: 'authentication.k8s.io', resource: 'tokenrequests', kind: 'TokenRequest' }
    const text = 'may not specify a duration less than 10 minutes'
    throw invalid(tokenKind, '', [field.invalid('spec.expirationSeconds', asked, text)])
  }
  const seconds = Math.min(asked, longestSeconds)
  const nowMs = cluster.clock.now()
  const expiresAtMs = nowMs + seconds * 1000
  const audiences = listAt(value, 'spec', 'audiences').map(String)
  const claims = { namespace, serviceAccount: name, uid: account.metadata.uid, expiresAtMs }
  const token = issueToken(claims, cluster.signingKey, nowMs, audiences)
  sendJson(response, 201, {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name, namespace, creationTimestamp: stamp(nowMs) },
    spec: { ...objectAt(value, 'spec'), audiences, expirationSeconds: seconds },
    status: { token, expirationTimestamp: stamp(expiresAtMs) },
  })
}
