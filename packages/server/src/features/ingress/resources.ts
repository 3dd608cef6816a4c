import {
  certificateKind,
  gatewayKind,
  objectPath,
  objectResourceId,
  type Relation,
  type ResourceKind,
} from '@bey/contract'
import { ingressPath } from '@bey/contract/ingress/rules'

import type { Clock } from '../../platform/clock.ts'
import type { InventoryGap, InventorySource, RelationSource, Resource } from '../../platform/inventory.ts'
import { mayNow } from '../../platform/keys/key-rights.ts'
import { certificateRows } from './certificate-rows.ts'
import { type ClusterObjects, fullName, type ReadObjects } from './cluster-objects.ts'
import { gatewayRows } from './gateway-rows.ts'
import { unreachable } from './host-rows.ts'
import type { IngressParts } from './parts.ts'

type Needs = Pick<IngressParts, 'readEachCluster'> & { clock: Clock; readObjects: ReadObjects }

/**
 * Gateways, and certificates that ingresses and gateways name, for the inventory. A certificate that does not exist is
 * listed as failing.
 */
export function ingressResources({ readEachCluster, clock, readObjects }: Needs): InventorySource {
  return {
    kinds: [gatewayKind.kind, certificateKind.kind],
    async list({ organizationId, role }, kinds) {
      const wanted = [gatewayKind, certificateKind].filter(
        ({ kind, permission }) => kinds.has(kind) && mayNow(role, permission),
      )
      if (wanted.length === 0) return { resources: [], gaps: [] }
      const isWanted = (kind: ResourceKind) => wanted.includes(kind)
      const { read, unreadable } = await readEachCluster({ organizationId }, readObjects)
      const nowMs = clock.now().getTime()
      return {
        resources: read.flatMap(({ found: { objects } }) => [
          ...(isWanted(gatewayKind) ? gatewaysOf(objects) : []),
          ...(isWanted(certificateKind) ? certificatesOf(objects, nowMs) : []),
        ]),
        gaps: [
          ...read.flatMap(({ found: { objects } }) => gapsOf(objects)),
          ...unreadable.map(({ title, reason }) => ({ source: title, reason, since: null })),
        ],
      }
    },
  }
}

/**
 * The Secrets that keep certificates, the ingresses and gateways that present them, and the services that gateways lead to
 * by their routes. Gaps are those of the inventory.
 */
export function ingressRelations({ readEachCluster, readObjects }: Needs): RelationSource {
  return {
    async list({ organizationId }) {
      const { read } = await readEachCluster({ organizationId }, readObjects)
      return { relations: read.flatMap(({ found: { objects } }) => relationsOf(objects)), gaps: [] }
    },
  }
}

function gatewaysOf(objects: ClusterObjects): Resource[] {
  const healthOf = new Map(gatewayRows(objects).map((row) => [fullName(row), row.health]))
  return objects.gateways.map((gateway): Resource => {
    const { namespace, name, createdAt } = gateway
    const place = { clusterId: objects.cluster.id, namespace, name }
    return {
      id: objectResourceId({ kind: gatewayKind.kind, ...place }),
      kind: gatewayKind.kind,
      name,
      cluster: objects.cluster,
      namespace,
      health: healthOf.get(fullName(gateway)) ?? null,
      labels: {},
      createdAt,
      createdBy: null,
      marks: [],
      href: objectPath({ ...place, resource: 'gateways.gateway.networking.k8s.io' }),
    }
  })
}

function certificatesOf(objects: ClusterObjects, nowMs: number): Resource[] {
  const { cluster, noAnswerSince } = objects
  return certificateRows(objects, { nowMs, copyOf: () => null }).map((row): Resource => {
    const place = { clusterId: cluster.id, namespace: row.namespace, name: row.name }
    return {
      id: objectResourceId({ kind: certificateKind.kind, ...place }),
      kind: certificateKind.kind,
      name: row.name,
      cluster,
      namespace: row.namespace,
      health: noAnswerSince === null ? row.health : unreachable(noAnswerSince),
      labels: {},
      // When its Secret was created is not read, and when it was issued is another time.
      createdAt: null,
      ...(row.facts && { expiresAt: row.facts.expiresAt }),
      createdBy: null,
      marks: [],
      href: ingressPath({ certificate: place }),
    }
  })
}

function gapsOf({ cluster: { title }, refused, noAnswerSince }: ClusterObjects): InventoryGap[] {
  if (noAnswerSince !== null) {
    const reason = `${title} does not answer; its objects are shown as they were last known.`
    return [{ source: title, reason, since: noAnswerSince }]
  }
  return refused
    .filter(({ what }) => what === 'Ingresses' || what === 'Gateways')
    .map(({ what, reason }) => ({
      source: title,
      reason: `${what === 'Gateways' ? 'gateways, and ' : ''}certificates that ${what} of ${title} name: ${reason}`,
      since: null,
    }))
}

function relationsOf({ cluster, ingresses, gateways, routes, certificates }: ClusterObjects): Relation[] {
  const idOf = (kind: string, namespace: string, name: string) =>
    objectResourceId({ kind, clusterId: cluster.id, namespace, name })
  const relations = [...certificates.keys()].map((fullName): Relation => {
    const [namespace = '', name = ''] = fullName.split('/')
    return {
      from: idOf(certificateKind.kind, namespace, name),
      to: idOf('k8s-secret', namespace, name),
      verb: 'kept_in',
    }
  })
  for (const { namespace, name, tls } of ingresses)
    for (const secret of new Set(tls.flatMap(({ secretName }) => secretName ?? [])))
      relations.push({
        from: idOf('ingress', namespace, name),
        to: idOf(certificateKind.kind, namespace, secret),
        verb: 'presents',
      })
  for (const { namespace, name, listeners } of gateways) {
    const from = idOf(gatewayKind.kind, namespace, name)
    const shown = new Map(
      listeners.flatMap((each) => each.certificates).map((each) => [fullName(each), each]),
    )
    for (const secret of shown.values())
      relations.push({
        from,
        to: idOf(certificateKind.kind, secret.namespace, secret.name),
        verb: 'presents',
      })
    const taken = routes.filter(({ parents }) =>
      parents.some((each) => each.namespace === namespace && each.name === name && each.accepted?.isTrue),
    )
    const backends = taken.flatMap(({ paths }) => paths.flatMap((path) => path.backends))
    const services = backends.flatMap((each) =>
      each.kind === 'Service' ? idOf('service', each.namespace, each.name) : [],
    )
    for (const to of new Set(services)) relations.push({ from, to, verb: 'routes_to' })
  }
  return relations
}
