import { z } from 'zod'

import type { StepParts } from '../ports.ts'
import type { ActionStepType } from '../step-type.ts'
import { clusterField, objectName, openSession } from './cluster-session.ts'
import { alwaysGuaranteed } from '../guarantee.ts'

const config = z.strictObject({
  cluster: clusterField,
  node: objectName.meta({ title: 'Node' }),
  force: z.boolean().default(false).meta({
    title: 'Also pods without a controller',
    description: 'They are deleted for good; without it they stop the drain.',
  }),
  delete_empty_dir_data: z.boolean().default(false).meta({
    title: 'Also pods with local data',
    description: 'The data in their emptyDir volumes is lost; without it they stop the drain.',
  }),
  timeout_ms: z
    .number()
    .int()
    .min(1_000)
    .max(86_400_000)
    .default(600_000)
    .meta({ title: 'Time limit', 'x-widget': 'duration' }),
})

export function kubernetesDrain(parts: StepParts): ActionStepType<typeof config> {
  return {
    kind: 'action',
    type: 'kubernetes.drain',
    label: 'Drain node',
    group: 'Kubernetes',
    icon: 'log-out',
    description: 'Cordons a node and evicts its pods as their disruption budgets allow.',
    guaranteeNote: 'A repetition after a crash evicts what is left. The node stays cordoned.',
    config,
    example: { cluster: '{{ inputs.cluster }}', node: '{{ inputs.node }}' },
    output: { type: 'object', properties: { evicted: { type: 'integer' } } },
    permission: 'kubernetes.delete',
    guarantee: alwaysGuaranteed('at_least_once_keyed'),
    test: 'real_only',
    async execute(context, given) {
      const session = await openSession(parts, context, given.cluster, 'kubernetes.delete')
      const drain = {
        clusterId: session.clusterId,
        node: given.node,
        timeoutSeconds: Math.ceil(given.timeout_ms / 1_000),
        force: given.force,
        deleteEmptyDirData: given.delete_empty_dir_data,
      }
      const diff = { resource: 'nodes', name: given.node }
      return session.audited({ action: 'kubernetes.drain', class: 'execute', diff }, () =>
        session.drainNode(context, drain),
      )
    },
  }
}
