import type { Health } from '@bey/contract'

import { certificateRows } from '../certificate-rows.ts'
import { type ClusterObjects, fullName } from '../cluster-objects.ts'
import { routesOfCluster } from '../routes-of-cluster.ts'
import { ingressLimits, ingressPath } from '@bey/contract/ingress/rules'

/** Something of a cluster that needs somebody, as it is kept between two looks. */
export type IngressProblem = {
  /** The same as long as it is the same thing. */
  key: string
  kind: 'Host' | 'Certificate'
  name: string
  namespace: string
  health: Health
  /** A path of the console. */
  href: string
  /** Whether members were notified of it in this state. */
  isAnnounced: boolean
}

type Found = Omit<IngressProblem, 'isAnnounced'>

/** Hosts without a backend that works, and certificates that end soon, have ended or are not for their hosts. */
export function problemsOf(objects: ClusterObjects, nowMs: number): Found[] {
  const clusterId = objects.cluster.id
  const certificates = certificateRows(objects, { nowMs, copyOf: () => null })
    .filter(({ health }) => health.state === 'failing' || health.state === 'degraded')
    .map((certificate): Found => ({
      key: `certificate/${clusterId}/${fullName(certificate)}`,
      kind: 'Certificate',
      name: certificate.name,
      namespace: certificate.namespace,
      health: certificate.health,
      href: ingressPath({ certificate }),
    }))
  const hosts = new Map<string, Found>()
  for (const { host, route } of routesOfCluster(objects, nowMs)) {
    const key = `host/${clusterId}/${host}`
    if (route.health.state !== 'failing' || hosts.has(key)) continue
    const { namespace } = route
    const name = host === '' ? `${route.name} (any host)` : host
    hosts.set(key, { key, kind: 'Host', name, namespace, health: route.health, href: ingressPath({ host }) })
  }
  return [...hosts.values(), ...certificates].slice(0, ingressLimits.problems)
}

/** For so long a host is without a backend before members are notified: a rollout takes a moment. */
const announceAfterMs = 60_000

/** The problems that are found now, each since when it is so, and those of which members are to be notified. */
export function withHistory(
  found: readonly Found[],
  before: readonly IngressProblem[],
  now: Date,
): { problems: IngressProblem[]; news: IngressProblem[] } {
  const news: IngressProblem[] = []
  const problems = found.map((each): IngressProblem => {
    const last = before.find(({ key }) => key === each.key)
    const isSame = last?.health.reason === each.health.reason
    const since = each.health.since ?? (isSame ? last?.health.since : undefined) ?? now.toISOString()
    const wasAnnounced = isSame && last?.isAnnounced === true
    const isDue = each.kind === 'Certificate' || now.getTime() - Date.parse(since) >= announceAfterMs
    const problem = { ...each, health: { ...each.health, since }, isAnnounced: wasAnnounced || isDue }
    if (isDue && !wasAnnounced) news.push(problem)
    return problem
  })
  return { problems, news }
}
