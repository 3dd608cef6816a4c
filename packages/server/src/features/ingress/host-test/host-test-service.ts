import type { CallOutput, ParsedInput } from '@bey/contract'
import { hostTestLimits } from '@bey/contract/ingress/rules'
import { isIP } from 'node:net'

import { entryOf, type Member } from '../../../platform/act.ts'
import { auditRow, insertAudit } from '../../../platform/audit/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { rateBuckets } from '../../../platform/rate-buckets.ts'
import { balancerRows } from '../balancer-rows.ts'
import { fullName, type ClusterObjects, type ReadObjects } from '../cluster-objects.ts'
import type { Cluster, IngressParts } from '../parts.ts'
import { isWithin, routesOfCluster } from '../routes-of-cluster.ts'
import { type Resolve, testHost } from './test-host.ts'

type Body = ParsedInput<'ingress.test'>['body']

/**
 * Tests hosts that a cluster names, on ports that lead into it: it is no way to look around in a network. Each test is
 * audited before it begins, and each person has some a minute.
 */
export function createHostTests(
  { database, clusters, outbound, clock }: Pick<IngressParts, 'database' | 'clusters' | 'outbound' | 'clock'>,
  readObjects: ReadObjects,
  resolve?: Resolve,
) {
  const { perMinute } = hostTestLimits
  const buckets = rateBuckets(clock, { burst: perMinute, perSecond: perMinute / 60 })

  return async (caller: Member, clusterId: number, body: Body): Promise<CallOutput<'ingress.test'>> => {
    const { organizationId, user } = caller
    const cluster = await clusters.getRunning(organizationId, clusterId)
    const { isAllowed, retryAfterMs } = buckets.take(`${organizationId}/${user.id}`)
    if (!isAllowed) {
      const retryAfterSeconds = Math.ceil(retryAfterMs / 1000)
      throw new AppError(
        'rate_limited',
        `You tested ${perMinute} hosts in a minute. Try again in ${retryAfterSeconds} s.`,
        { retryAfterSeconds },
      )
    }
    const { objects } = await readObjects(cluster)
    const { host, path, isTls, address } = body
    const port = body.port ?? (isTls ? 443 : 80)
    requireNamed(objects, cluster, host)
    requirePort(objects, cluster, port)
    if (address !== undefined && isIP(address) === 0) refuse('address', `"${address}" is not an IP address.`)
    const expected = expectedOf(objects, host)
    const entry = entryOf(caller, {
      action: 'ingress.test',
      class: 'execute',
      target: { type: 'cluster', id: clusterId, name: cluster.title },
      // What follows a question mark may be a token.
      diff: { host, port, path: path.split('?')[0], ...(address !== undefined && { address }) },
    })
    const intent = auditRow({ ...entry, outcome: 'unknown' })
    await database.withTenant(organizationId, (db) => insertAudit(db, [intent]))
    const at = clock.now().toISOString()
    const found = await testHost(outbound, { host, port, path, isTls, address, expected }, resolve)
    const outcome = found.result === 'failed' ? 'failure' : 'success'
    await database.withTenant(organizationId, (db) =>
      insertAudit(db, [auditRow({ ...entry, outcome, intentId: intent.id })]),
    )
    return { ...found, at }
  }
}

/** Throws `not_found` for a host that nothing in the cluster names. */
function requireNamed(objects: ClusterObjects, { title }: Pick<Cluster, 'title'>, host: string): void {
  const hosted = routesOfCluster(objects, 0)
  const names = [
    ...hosted.map((each) => each.host),
    ...objects.gateways.flatMap(({ listeners }) => listeners.map(({ hostname }) => hostname)),
  ]
  if (names.some((name) => name !== '' && isWithin(name, host))) return
  const addresses = [
    ...hosted.flatMap((each) => each.addresses),
    ...balancerRows(objects, 0).flatMap((each) => each.addresses),
  ]
  if (addresses.includes(host)) return
  throw new AppError(
    'not_found',
    `No ingress, route or gateway in the cluster "${title}" names the host ${host}. Only hosts that a cluster names are tested.`,
  )
}

/** Throws `invalid_request` for a port that leads nowhere into the cluster. */
function requirePort(objects: ClusterObjects, { title }: Pick<Cluster, 'title'>, port: number): void {
  const ports = new Set([
    80,
    443,
    ...objects.gateways.flatMap(({ listeners }) => listeners.flatMap((each) => each.port ?? [])),
    ...[...(objects.services?.values() ?? [])].flatMap(({ network }) =>
      network.type === 'LoadBalancer' ? network.ports.map((each) => each.port) : [],
    ),
  ])
  if (ports.has(port)) return
  refuse(
    'port',
    `No gateway and no load balancer of the cluster "${title}" has the port ${port}. Use 443, 80 or one of theirs.`,
  )
}

function refuse(path: string, message: string): never {
  throw new AppError('invalid_request', message, { errors: [{ path, message }] })
}

/** Of the certificates that the host is to show; undefined where it has none, or none can be read. */
function expectedOf(objects: ClusterObjects, host: string): string[] | undefined {
  const secrets = routesOfCluster(objects, 0)
    .filter((each) => each.host !== '' && isWithin(each.host, host))
    .flatMap((each) => each.secrets)
  const found = secrets.flatMap((secret) => {
    const certificate = objects.certificates.get(fullName(secret))
    return certificate && 'facts' in certificate ? certificate.facts.fingerprint : []
  })
  return found.length === 0 ? undefined : found
}
