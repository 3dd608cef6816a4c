import { asKubernetesObject } from './kubernetes-object.ts'
import { LogPanel } from './logs/log-panel.tsx'
import { containersOf } from './object-containers.ts'
import type { ObjectSubject } from './object-tabs.tsx'

/** The logs of an object's pods. */
export function ObjectLogs({ cluster, detail }: ObjectSubject) {
  const { namespace = '', name = '' } = asKubernetesObject(detail.object).metadata ?? {}
  return (
    <LogPanel
      clusterId={cluster.id}
      resource={detail.resource.resource}
      namespace={namespace}
      name={name}
      containers={containersOf(detail.object).map((each) => each.name)}
    />
  )
}
