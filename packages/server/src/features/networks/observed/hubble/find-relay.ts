import { labelTest } from '@bey/contract/reachability/label-selector'
import type { ClusterSnapshot, PodFacts, ServicePort } from '@bey/contract/reachability/snapshot'

/** The pods of Hubble Relay and the port of each; `problem` where it is there and cannot be asked. */
export type Relay = { pods: { namespace: string; pod: string; port: number }[] } | { problem: string }

const serviceName = 'hubble-relay'
/** Cilium's charts give the service this port where the relay asks for TLS, and another one where it does not. */
const tlsPort = 443

/** Finds Hubble Relay by its service, in any namespace; undefined where the cluster has none. */
export function findRelay({ services, pods }: ClusterSnapshot): Relay | undefined {
  const service = services
    .filter(({ name }) => name === serviceName)
    .toSorted((a, b) => rank(a.namespace) - rank(b.namespace))[0]
  if (service === undefined) return undefined
  const port = service.ports.find(({ protocol }) => protocol === 'TCP')
  if (port === undefined || Object.keys(service.selector ?? {}).length === 0) {
    return { problem: `The service ${service.namespace}/${serviceName} leads to no pods.` }
  }
  if (port.port === tlsPort) {
    return {
      problem:
        'Hubble Relay of this cluster asks for a client certificate (TLS), which Bey does not have. Bey reads a relay without TLS through the API of the cluster, which encrypts the connection: set hubble.relay.tls.server.enabled to false in the values of Cilium.',
    }
  }
  const isSelected = labelTest({ matchLabels: service.selector })
  const found = pods.filter(({ namespace, labels }) => namespace === service.namespace && isSelected(labels))
  if (found.length === 0) return { problem: 'No pod of Hubble Relay runs in this cluster.' }
  return {
    pods: found.map((pod) => ({ namespace: pod.namespace, pod: pod.name, port: portOf(pod, port) })),
  }
}

const rank = (namespace: string) => (namespace === 'kube-system' ? 0 : 1)

function portOf(pod: PodFacts, { port, targetPort = port }: ServicePort): number {
  if (typeof targetPort === 'number') return targetPort
  return pod.ports.find(({ name }) => name === targetPort)?.port ?? port
}
