import { certificateKind, objectResourceId, type Relation } from '@bey/contract'
import { ingressPath } from '@bey/contract/ingress-rules'

import type { Clock } from '../../platform/clock.ts'
import type { InventoryGap, InventorySource, RelationSource, Resource } from '../../platform/inventory.ts'
import { mayNow } from '../../platform/keys/key-rights.ts'
import { certificateRows } from './certificate-rows.ts'
import type { ClusterObjects, ReadObjects } from './cluster-objects.ts'
import { unreachable } from './host-rows.ts'
import type { IngressParts } from './parts.ts'

type Needs = Pick<IngressParts, 'readEachCluster'> & { clock: Clock; readObjects: ReadObjects }

/** Certificates that ingresses and gateways name, for the inventory. One that does not exist is listed as failing. */
export function certificateResources({ readEachCluster, clock, readObjects }: Needs): InventorySource {
  const { kind } = certificateKind
  return {
    kinds: [kind],
    async list({ organizationId, role }) {
      if (!mayNow(role, certificateKind.permission)) return { resources: [], gaps: [] }
      const { read, unreadable } = await readEachCluster({ organizationId }, readObjects)
      const nowMs = clock.now().getTime()
      return {
        resources: read.flatMap(({ found: { objects } }) => resourcesOf(objects, nowMs)),
        gaps: [
          ...read.flatMap(({ found: { objects } }) => gapsOf(objects)),
          ...unreadable.map(({ title, reason }) => ({ source: title, reason, since: null })),
        ],
      }
    },
  }
}

/** The Secrets that keep certificates, and the ingresses that present them. Gaps are those of the inventory. */
export function certificateRelations({ readEachCluster, readObjects }: Needs): RelationSource {
  return {
    async list({ organizationId }) {
      const { read } = await readEachCluster({ organizationId }, readObjects)
      return { relations: read.flatMap(({ found: { objects } }) => relationsOf(objects)), gaps: [] }
    },
  }
}

function resourcesOf(objects: ClusterObjects, nowMs: number): Resource[] {
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
      reason: `certificates that ${what} of ${title} name: ${reason}`,
      since: null,
    }))
}

function relationsOf({ cluster, ingresses, certificates }: ClusterObjects): Relation[] {
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
  return relations
}
