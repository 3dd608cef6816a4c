import { deniedReason } from '@bey/contract'
import { useRole } from '../../data/session.ts'
import type { ForwardedPort } from './ports/port-lines.ts'
import { PortsPanel } from './ports/ports-panel.tsx'
import { asKubernetesObject } from './kubernetes-object.ts'
import type { ObjectSubject } from './object-tabs.tsx'

interface PortSpec {
  name?: string
  port?: number
  containerPort?: number
  protocol?: string
}

/** The ports of a service or pod. */
export function ObjectPorts({ cluster, detail }: ObjectSubject) {
  const { metadata, spec } = asKubernetesObject(detail.object)
  const reason = deniedReason(useRole(), 'kubernetes.exec')
  return (
    <PortsPanel
      clusterId={cluster.id}
      target={{
        clusterTitle: cluster.title,
        resource: detail.resource.resource === 'services' ? 'services' : 'pods',
        namespace: metadata?.namespace ?? '',
        name: metadata?.name ?? '',
      }}
      ports={portsOf(spec ?? {})}
      disabledReason={reason}
    />
  )
}

/** What stands in a spec depends on the kind: a service has ports, and a pod's containers have. */
function portsOf(spec: { ports?: PortSpec[]; containers?: { ports?: PortSpec[] }[] }): ForwardedPort[] {
  const declared = [...(spec.ports ?? []), ...(spec.containers ?? []).flatMap(({ ports = [] }) => ports)]
  return declared.flatMap(({ name = '', port, containerPort, protocol = 'TCP' }) => {
    const number = port ?? containerPort
    return number === undefined ? [] : [{ name, port: number, protocol }]
  })
}
