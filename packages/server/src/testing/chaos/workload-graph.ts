import { chaosNames, graph } from './graph.ts'

/** What `webhook.emit` of the graph emits. */
export const emittedEvent = 'custom.chaos.done'

/** How often the graph changes the specification of its deployment: it is made, scaled, restarted and rolled back. */
export const workloadGeneration = 4

/** The name of the deployment of a run, and of the pod that it drains. */
export const workloadName = (runId: string) => `chaos-${runId}`

/** The steps for workloads and nodes, and an event at the end. */
export function workloadGraph() {
  const { cluster, node } = chaosNames
  const name = workloadName('{{ run.id }}')
  const deployment = { api_version: 'apps/v1', kind: 'Deployment', namespace: 'default', name }
  const selector = 'run={{ run.id }}'
  const manifest = `apiVersion: apps/v1
kind: Deployment
metadata: { name: "${name}", namespace: default }
spec:
  replicas: 1
  selector: { matchLabels: { run: "{{ run.id }}" } }
  template:
    metadata: { labels: { run: "{{ run.id }}" } }
    spec: { containers: [{ name: main, image: nginx }] }
---
apiVersion: v1
kind: Pod
metadata: { name: "${name}", namespace: default }
spec: { nodeName: ${node}, containers: [{ name: main, image: nginx }] }
`
  const step = (key: string, type: string, config: object) => ({ key, type, config: { cluster, ...config } })
  return graph('workload', [
    step('deploy', 'kubernetes.apply', { manifest }),
    step('rolled', 'kubernetes.wait', { ...deployment, until: 'rollout' }),
    step('list', 'kubernetes.list', { api_version: 'v1', kind: 'Pod', namespace: 'default', selector }),
    step('get', 'kubernetes.get', deployment),
    step('logs', 'kubernetes.logs', { namespace: 'default', selector, tail_lines: 5 }),
    step('scale', 'kubernetes.scale', { namespace: 'default', name, replicas: 2 }),
    step('restart', 'kubernetes.restart', { namespace: 'default', name }),
    step('restarted', 'kubernetes.wait', { ...deployment, until: 'rollout' }),
    step('back', 'kubernetes.rollback', { namespace: 'default', name }),
    step('drain', 'kubernetes.drain', { node, force: true }),
    {
      key: 'emit',
      type: 'webhook.emit',
      config: { event: emittedEvent, values: { workload: name } },
    },
  ])
}
