import type { IncomingMessage } from 'node:http'
import { roleHas } from '@bey/contract'
import type { ClusterAgents } from '../connection/cluster-agents.ts'
import { readBody } from '../connection/cluster-agents.ts'
import { type Identity, identityHeaders } from '../connection/identity.ts'
import { ownCredentials } from '../connection/own-credentials.ts'
import type { ClusterConnection } from '../connection/ports.ts'
import type { ProxyCaller } from './caller.ts'
import { impersonatedGroup } from './authorize.ts'

/** The caller, under the group that represents their role, or for what is left of it to an API key. */
export function ownIdentity({
  email,
  role,
  apiKey,
}: Pick<ProxyCaller, 'email' | 'role' | 'apiKey'>): Identity {
  if (role === undefined) return { user: email, groups: [] }
  // A key that only reads is also in the cluster somebody who only reads.
  const actsAs = apiKey && !beyondReading.some((each) => apiKey.permissions.has(each)) ? 'VIEWER' : role
  return { user: email, groups: [impersonatedGroup[actsAs]] }
}

const beyondReading = [
  'kubernetes.write',
  'kubernetes.delete',
  'kubernetes.exec',
  'kubernetes.secrets',
] as const

const maxGroups = 64

/**
 * For whom a request asks to speak (`kubectl --as`); undefined: nobody else. `invalid` where the headers make no sense:
 * more than a few, unknown ones, or none that names a user.
 */
export function requestedIdentity({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>) {
  const found = { users: [] as string[], uids: [] as string[], groups: [] as string[] }
  const extra: Record<string, string[]> = {}
  let count = 0
  // Node joins repeated headers, and a group's name may hold a comma.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? ''
    if (!name.startsWith('impersonate-')) continue
    const value = rawHeaders[index + 1] ?? ''
    count += 1
    if (name === 'impersonate-user') found.users.push(value)
    else if (name === 'impersonate-uid') found.uids.push(value)
    else if (name === 'impersonate-group') found.groups.push(value)
    else {
      const key = extraKey(name)
      if (key === undefined) return 'invalid'
      extra[key] = [...(extra[key] ?? []), value]
    }
  }
  if (count === 0) return undefined
  const [user] = found.users
  const [uid] = found.uids
  if (!user || found.users.length > 1 || found.uids.length > 1 || count > maxGroups) return 'invalid'
  const identity: Identity = {
    user,
    groups: found.groups,
    ...(uid && { uid }),
    ...(Object.keys(extra).length > 0 && { extra }),
  }
  return identity
}

function extraKey(name: string): string | undefined {
  const prefix = 'impersonate-extra-'
  if (!name.startsWith(prefix) || name === prefix) return undefined
  try {
    return decodeURIComponent(name.slice(prefix.length))
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

type Right = { group: string; resource: string; subresource?: string; namespace?: string; name: string }

/** The rights that the API server asks for an impersonation, one a header. */
function rightsFor({ user, groups, uid, extra = {} }: Identity): Right[] {
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user)
  const authentication = 'authentication.k8s.io'
  return [
    account
      ? { group: '', resource: 'serviceaccounts', namespace: account[1] ?? '', name: account[2] ?? '' }
      : { group: '', resource: 'users', name: user },
    ...groups.map((name) => ({ group: '', resource: 'groups', name })),
    ...(uid === undefined ? [] : [{ group: authentication, resource: 'uids', name: uid }]),
    ...Object.entries(extra).flatMap(([subresource, names]) =>
      names.map((name) => ({ group: authentication, resource: 'userextras', subresource, name })),
    ),
  ]
}

type Asking = { caller: ProxyCaller; connection: ClusterConnection; agents: ClusterAgents }

/**
 * Why a caller may not speak for somebody else, or undefined if they may: their role in Bey must hold it, and the
 * cluster's own RBAC must grant their own identity to impersonate each part of the other one. Bey's account in the
 * cluster may impersonate anybody, so the cluster is asked as the caller.
 */
export async function whyNoImpersonation(
  requested: Identity,
  { caller, connection, agents }: Asking,
): Promise<string | undefined> {
  if (caller.role === undefined) return 'a service account acts in its own name through Bey'
  if (caller.apiKey && !caller.apiKey.permissions.has('kubernetes.impersonate'))
    return `the API key ${caller.apiKey.name} was not given kubernetes.impersonate`
  if (!roleHas(caller.role, 'kubernetes.impersonate')) {
    return `the role ${caller.role} in this organization lacks kubernetes.impersonate`
  }
  if (!connection.impersonate) return 'Bey’s account in this cluster may not impersonate anybody'
  for (const right of rightsFor(requested)) {
    if (!(await isGranted(right, { caller, connection, agents })))
      return `the cluster does not allow ${caller.email} to impersonate ${right.resource} "${right.name}"`
  }
  return undefined
}

const maxAnswerBytes = 64 * 1024

function isGranted(right: Right, { caller, connection, agents }: Asking): Promise<boolean> {
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
  const body = JSON.stringify({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: { verb: 'impersonate', ...right } },
  })
  return new Promise((resolve, reject) => {
    const asked = agents.open(connection, 'POST', path, {
      ...ownCredentials(connection),
      ...identityHeaders(ownIdentity(caller)),
      accept: 'application/json',
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'bey',
    })
    asked.setTimeout(10_000, () => asked.destroy(Object.assign(new Error('too late'), { code: 'ETIMEDOUT' })))
    asked.on('error', reject)
    asked.on('response', (answer) => {
      readBody(answer, maxAnswerBytes).then((bytes) => resolve(isAllowed(answer, bytes)), reject)
    })
    asked.end(body)
  })
}

function isAllowed(answer: IncomingMessage, bytes: Buffer): boolean {
  if (answer.statusCode !== 201 && answer.statusCode !== 200) return false
  const review = JSON.parse(bytes.toString('utf8')) as { status?: { allowed?: boolean } }
  return review.status?.allowed === true
}
