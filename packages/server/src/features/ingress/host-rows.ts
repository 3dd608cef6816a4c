import type { Health, IngressCertificate, IngressHost } from '@bey/contract'
import { healthy } from '@bey/contract'
import { ingressLimits, worstHealth } from '@bey/contract/ingress/rules'

import type { Endpoints } from '@bey/contract/kubernetes/service-health'
import type { ClusterObjects } from './cluster-objects.ts'
import { fullName } from './cluster-objects.ts'
import type { HostedRoute } from './routes-of-cluster.ts'

/** What of one cluster is grouped by host. */
export type ClusterRoutes = {
  objects: Pick<ClusterObjects, 'cluster' | 'endpoints' | 'noAnswerSince'>
  routes: readonly HostedRoute[]
  certificates: readonly IngressCertificate[]
}

type Part = { of: ClusterRoutes; hosted: HostedRoute }

/** The hosts of some clusters, each once, with all that claims it in any of them. */
export function hostRows(all: readonly ClusterRoutes[]): IngressHost[] {
  const byHost = new Map<string, Part[]>()
  for (const of of all)
    for (const hosted of of.routes) {
      const parts = byHost.get(hosted.host) ?? []
      parts.push({ of, hosted })
      byHost.set(hosted.host, parts)
    }
  return [...byHost].map(([host, parts]) => hostRow(host, parts))
}

function hostRow(host: string, parts: readonly Part[]): IngressHost {
  const clusters = new Map(parts.map(({ of: { objects } }) => [objects.cluster.id, objects.cluster]))
  const certificates = certificatesOf(parts)
  const times = certificates.flatMap(({ facts }) => facts?.expiresAt ?? []).toSorted()
  const tls = new Set(parts.map(({ hosted }) => hosted.tls))
  const endpoints = endpointsOf(parts)
  return {
    host,
    clusters: [...clusters.values()].slice(0, ingressLimits.clusters),
    namespaces: [...new Set(parts.map(({ hosted }) => hosted.route.namespace))].slice(0, ingressLimits.hosts),
    routes: parts.slice(0, ingressLimits.routes).map(({ of, hosted }) => ({
      ...hosted.route,
      health: of.objects.noAnswerSince === null ? hosted.route.health : unreachable(of.objects.noAnswerSince),
    })),
    routeTotal: parts.length,
    ready: endpoints?.ready ?? null,
    total: endpoints?.total ?? null,
    addresses: [...new Set(parts.flatMap(({ hosted }) => hosted.addresses))].slice(0, 20),
    tls: tls.has('certificate') ? 'certificate' : tls.has('controller') ? 'controller' : 'none',
    certificates: certificates.slice(0, 10).map(({ clusterId, namespace, name, state, text, facts }) => ({
      clusterId,
      namespace,
      name,
      state,
      text,
      expiresAt: facts?.expiresAt ?? null,
    })),
    expiresAt: times[0] ?? null,
    health: worstHealth(healthsOf(host, parts, certificates)),
  }
}

function healthsOf(
  host: string,
  parts: readonly Part[],
  certificates: readonly IngressCertificate[],
): Health[] {
  const silent = parts.find(({ of }) => of.objects.noAnswerSince !== null)
  const live = parts.filter(({ of }) => of.objects.noAnswerSince === null)
  const liveIds = new Set(live.map(({ of }) => of.objects.cluster.id))
  return [
    ...live.map(({ hosted }) => hosted.route.health),
    ...certificates
      .filter(({ clusterId }) => liveIds.has(clusterId))
      .map((certificate) => healthForHost(host, certificate)),
    ...(silent?.of.objects.noAnswerSince ? [unreachable(silent.of.objects.noAnswerSince)] : []),
  ]
}

/** A certificate that is not for another of its hosts is no trouble of this one. */
function healthForHost(
  host: string,
  { health, hosts, state, text, name, namespace }: IngressCertificate,
): Health {
  if (health.reason !== 'CertificateWrongName') return health
  if (hosts.find((each) => each.host === host)?.isCovered === false) return health
  if (state !== 'expiring') return healthy
  const object = { kind: 'Secret', namespace, name }
  return { state: 'degraded', reason: 'CertificateExpires', detail: text, since: null, object }
}

function certificatesOf(parts: readonly Part[]): IngressCertificate[] {
  const found = new Map<string, IngressCertificate>()
  for (const { of, hosted } of parts)
    for (const secret of hosted.secrets) {
      const certificate = of.certificates.find((each) => fullName(each) === fullName(secret))
      if (certificate) found.set(`${certificate.clusterId}/${fullName(certificate)}`, certificate)
    }
  return [...found.values()].toSorted(byExpiry)
}

const byExpiry = (a: IngressCertificate, b: IngressCertificate) =>
  (a.facts?.expiresAt ?? '9') < (b.facts?.expiresAt ?? '9') ? -1 : 1

/** Of every service that the host leads to, each once; undefined where none of them is known. */
function endpointsOf(parts: readonly Part[]): Endpoints | undefined {
  const services = new Map<string, Endpoints>()
  for (const { of, hosted } of parts)
    for (const { service, namespace, ready, total } of hosted.route.backends)
      if (ready !== null && total !== null)
        services.set(`${of.objects.cluster.id}/${namespace}/${service}`, { ready, total })
  if (services.size === 0) return undefined
  const all = [...services.values()]
  return {
    ready: all.reduce((sum, each) => sum + each.ready, 0),
    total: all.reduce((sum, each) => sum + each.total, 0),
  }
}

/** What a cluster that does not answer said before is no state of now. */
export function unreachable(since: string): Health {
  return {
    state: 'unknown',
    reason: 'Unreachable',
    detail: 'its cluster does not answer',
    since,
    object: null,
  }
}
