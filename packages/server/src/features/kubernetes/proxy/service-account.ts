import type { Clock } from '../../../platform/clock.ts'
import { hashToken } from '../../../platform/crypto/token.ts'
import type { ClusterAgents } from '../connection/cluster-agents.ts'
import { readBody, tookTooLong } from '../connection/cluster-agents.ts'
import { ownCredentials } from '../connection/own-credentials.ts'
import type { ClusterConnection, Connect } from '../connection/ports.ts'
import type { ProxyCaller } from './caller.ts'

/** Who holds a token that a cluster issued for one of its service accounts; undefined when the cluster does not know it. */
export type IdentifyAccount = (token: string, clusterId: number) => Promise<ProxyCaller | undefined>

/** Whether a token is a signed JSON Web Token, which Bey issues none of. */
export function isAccountToken(token: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)
}

const accountName = /^system:serviceaccount:[^:]+:[^:]+$/
/** How long the cluster's answer is believed. */
const keptMs = 10_000
const reviewsKept = 1_000
const maxAnswerBytes = 64 * 1024

type Deps = {
  organizationOf: (clusterId: number) => Promise<number | undefined>
  connect: Connect
  agents: ClusterAgents
  clock: Clock
}

/**
 * Asks the cluster who holds a token (TokenReview). Only service accounts are taken: they act with their own token and
 * the rights that the cluster's RBAC gives them, never with Bey's.
 */
export function accountIdentifier({ organizationOf, connect, agents, clock }: Deps): IdentifyAccount {
  const reviews = new Map<string, { untilMs: number; found: Promise<ProxyCaller | undefined> }>()

  async function review(token: string, clusterId: number): Promise<ProxyCaller | undefined> {
    const organizationId = await organizationOf(clusterId)
    if (organizationId === undefined) return undefined
    const user = await reviewToken(token, await connect(organizationId, clusterId), agents)
    if (!user || !accountName.test(user.username)) return undefined
    return {
      key: `account ${clusterId} ${user.username}`,
      userId: undefined,
      name: user.username,
      email: user.username,
      organizationId,
      role: undefined,
      accountToken: token,
      credential: { kind: 'account', id: `${clusterId} ${user.uid}` },
      onlyClusterId: clusterId,
      // The cluster's affair, which is asked again while something is open.
      expiresAt: undefined,
    }
  }

  return (token, clusterId) => {
    const key = `${clusterId} ${hashToken(token).toString('base64')}`
    const nowMs = clock.monotonicMs()
    const kept = reviews.get(key)
    if (kept && kept.untilMs > nowMs) return kept.found
    const found = review(token, clusterId)
    reviews.delete(key)
    reviews.set(key, { untilMs: nowMs + keptMs, found })
    found.catch(() => reviews.delete(key))
    const [oldest] = reviews.keys()
    if (reviews.size > reviewsKept && oldest !== undefined) reviews.delete(oldest)
    return found
  }
}

type ReviewedUser = { username: string; uid: string }

function reviewToken(
  token: string,
  connection: ClusterConnection,
  agents: ClusterAgents,
): Promise<ReviewedUser | undefined> {
  const body = JSON.stringify({
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec: { token },
  })
  return new Promise((resolve, reject) => {
    const asked = agents.open(connection, 'POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
      ...ownCredentials(connection),
      accept: 'application/json',
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'bey',
    })
    asked.setTimeout(10_000, () => asked.destroy(tookTooLong()))
    asked.on('error', reject)
    asked.on('response', (answer) => {
      readBody(answer, maxAnswerBytes).then(
        (bytes) => resolve(answer.statusCode === 201 ? userOf(bytes) : undefined),
        reject,
      )
    })
    asked.end(body)
  })
}

function userOf(bytes: Buffer): ReviewedUser | undefined {
  const { status } = JSON.parse(bytes.toString('utf8')) as {
    status?: { authenticated?: boolean; user?: { username?: string; uid?: string } }
  }
  if (status?.authenticated !== true) return undefined
  return { username: status.user?.username ?? '', uid: status.user?.uid ?? '' }
}
