import type { Health, IngressBackend } from '@bey/contract'
import { healthy } from '@bey/contract'
import { ingressLimits } from '@bey/contract/ingress/rules'

import type { BackendRef, ReferenceGrantEntry } from '../kubernetes/watch/ingress-entries.ts'
import type { ClusterObjects } from './cluster-objects.ts'

/** For so long a new object is given time until its backends are ready. */
const startMs = 60_000

type Around = Pick<ClusterObjects, 'services' | 'endpoints'> & {
  nowMs: number
  /** Of the object that names the backends. */
  createdAt: string | null
  /** Of an HTTPRoute: its namespace, out of which it may lead only where a ReferenceGrant of the other namespace says so. */
  crossing?: { namespace: string; grants: ClusterObjects['grants'] }
}

/** How the backends of a path are. */
export function backendsOf(refs: readonly BackendRef[], around: Around): IngressBackend[] {
  const weights = refs.reduce((sum, ref) => sum + weightOf(ref), 0)
  return refs.slice(0, ingressLimits.backends).map((ref) => {
    const weightPercent = weights === 0 ? 0 : (100 * weightOf(ref)) / weights
    if (ref.kind === 'other') {
      const text = `Leads to ${ref.text}, which Bey does not look at.`
      return {
        service: null,
        namespace: '',
        port: null,
        weightPercent,
        ready: null,
        total: null,
        text,
        health: healthy,
      }
    }
    const { namespace, name: service, port } = ref
    const found = look(ref, around)
    return { service, namespace, port: port === null ? null : String(port), weightPercent, ...found }
  })
}

const weightOf = (ref: BackendRef) => (ref.kind === 'Service' ? ref.weight : 1)

type ServiceRef = Extract<BackendRef, { kind: 'Service' }>
type Look = Pick<IngressBackend, 'ready' | 'total' | 'text' | 'health'>

function look({ namespace, name, port }: ServiceRef, around: Around): Look {
  const { services, endpoints, crossing } = around
  const title = `${namespace}/${name}`
  if (crossing !== undefined && crossing.namespace !== namespace) {
    if (crossing.grants === undefined)
      return unknown('GrantsForbidden', 'Bey may not read the ReferenceGrants of this cluster.')
    if (!crossing.grants.some((grant) => permits(grant, crossing.namespace, { namespace, name })))
      return broken(
        'RefNotPermitted',
        `No ReferenceGrant in ${namespace} lets HTTPRoutes of ${crossing.namespace} lead to ${title}.`,
      )
  }
  if (services === undefined)
    return unknown('ServicesForbidden', 'Bey may not read the services of this cluster.')
  const service = services.get(title)
  if (service === undefined) return broken('ServiceMissing', `There is no service ${title}.`)
  if (service.network.type === 'ExternalName') {
    const text = `${title} stands for ${service.externalName ?? 'a name'} outside of the cluster, which Bey does not look at.`
    return { ready: null, total: null, text, health: healthy }
  }
  const ports = service.network.ports
  const hasPort = port === null || ports.some((each) => each.port === port || each.name === port)
  if (!hasPort) return broken('PortMissing', `The service ${title} has no port ${port}.`)
  if (endpoints === undefined)
    return unknown('EndpointsForbidden', 'Bey may not read the endpoints of this cluster.')
  const { ready, total } = endpoints.get(title) ?? { ready: 0, total: 0 }
  if (ready > 0) {
    const text = `${ready} of ${total} ready`
    return { ready, total, text, health: healthy }
  }
  const text = total === 0 ? `No pod is behind ${title}.` : `No pod behind ${title} is ready: 0 of ${total}.`
  const isNew = around.createdAt !== null && around.nowMs - Date.parse(around.createdAt) < startMs
  const health: Health = {
    state: isNew ? 'starting' : 'failing',
    reason: isNew ? 'Starting' : 'NoReadyEndpoints',
    detail: text,
    since: null,
    object: { kind: 'Service', namespace, name },
  }
  return { ready, total, text, health }
}

/** Gateway API reference: a grant stands in the namespace of what it opens. */
function permits(
  grant: ReferenceGrantEntry,
  from: string,
  { namespace, name }: { namespace: string; name: string },
): boolean {
  return (
    grant.namespace === namespace &&
    grant.from.some(
      (each) =>
        each.group === 'gateway.networking.k8s.io' && each.kind === 'HTTPRoute' && each.namespace === from,
    ) &&
    grant.services.some((each) => each.name === null || each.name === name)
  )
}

const broken = (reason: string, text: string): Look => ({
  ready: null,
  total: null,
  text,
  health: { state: 'failing', reason, detail: text, since: null, object: null },
})

const unknown = (reason: string, text: string): Look => ({
  ready: null,
  total: null,
  text,
  health: { state: 'unknown', reason, detail: text, since: null, object: null },
})
