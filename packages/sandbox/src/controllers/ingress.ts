import type { Cluster } from '../api/context.ts'
import { ingresses } from '../types.ts'
import { runController, type Controller } from './controller.ts'

const admitMs = 2000
const address = '203.0.113.254'

/** Gives ingresses of a class an address after a while, as an ingress controller does. */
export function runIngresses(cluster: Cluster): Controller {
  const { clock, resources, recorder } = cluster
  return runController(cluster, {
    kind: ingresses,
    sync(ingress, again) {
      if (ingress.spec.ingressClassName === undefined || ingress.status?.loadBalancer?.ingress?.length) return
      const dueMs = Date.parse(ingress.metadata.creationTimestamp) + admitMs / cluster.speed - clock.now()
      if (dueMs > 0) return again(dueMs)
      resources.changeStatus(ingresses, ingress, (draft) => {
        draft.status = { loadBalancer: { ingress: [{ ip: address }] } }
      })
      recorder.normal('nginx-ingress-controller', ingress, 'Sync', 'Scheduled for sync')
    },
  })
}
