import { deniedReason } from '@bey/contract'
import { useRole } from '../../data/session.ts'
import { TerminalPanel } from './terminal/terminal-panel.tsx'
import { asKubernetesObject } from './kubernetes-object.ts'
import { containersOf } from './object-containers.ts'
import type { ObjectSubject } from './object-tabs.tsx'

interface ContainerState {
  name?: string
  state?: { running?: object }
}

/** A terminal in a container of a pod. */
export function ObjectTerminal({ cluster, detail }: ObjectSubject) {
  const { metadata, status = {} } = asKubernetesObject(detail.object)
  const reason = deniedReason(useRole(), 'kubernetes.exec')
  // What stands in a status depends on the kind, and this is a pod.
  const states = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'].flatMap(
    (key) => (status[key] ?? []) as ContainerState[],
  )
  return (
    <TerminalPanel
      clusterId={cluster.id}
      namespace={metadata?.namespace ?? ''}
      pod={metadata?.name ?? ''}
      containers={containersOf(detail.object).map(({ name }) => ({
        name,
        isRunning: states.find((each) => each.name === name)?.state?.running !== undefined,
      }))}
      disabledReason={reason}
    />
  )
}
