import { z } from 'zod'

import type { StepParts } from '../ports.ts'
import type { ActionContext, ActionStepType } from '../step-type.ts'
import { expectStatus, openSession } from './cluster-session.ts'
import { auditedWorkload, mergePatch, workloadFields, workloadPath } from './workload-target.ts'
import { alwaysGuaranteed } from '../guarantee.ts'

const config = z.strictObject(workloadFields(['Deployment', 'StatefulSet', 'DaemonSet']))
type Config = z.output<typeof config>

/** Changes the template of the pods, so that the controller replaces them; the same key changes it once. */
const restartKey = 'bey.io/restarted-by'

export function kubernetesRestart(parts: StepParts): ActionStepType<typeof config> {
  return {
    kind: 'action',
    type: 'kubernetes.restart',
    label: 'Restart workload',
    group: 'Kubernetes',
    icon: 'rotate-cw',
    description: 'Replaces the pods of a workload as its rollout strategy says.',
    guaranteeNote: 'A repetition after a crash restarts nothing again. It does not wait for the rollout.',
    config,
    example: { cluster: '{{ inputs.cluster }}', namespace: 'default', name: 'web' },
    output: { type: 'object', properties: { generation: { type: 'integer' } } },
    permission: 'kubernetes.write',
    guarantee: alwaysGuaranteed('at_least_once_keyed'),
    test: { dryRun: (context, given) => restart(parts, context, given, true) },
    execute: (context, given) => restart(parts, context, given, false),
  }
}

async function restart(parts: StepParts, context: ActionContext, given: Config, isDryRun: boolean) {
  const session = await openSession(parts, context, given.cluster)
  const label = `${given.kind} ${given.namespace}/${given.name}`
  const annotations = { [restartKey]: context.idempotencyKey }
  const work = async () => {
    const reply = await session.call('PATCH', `${workloadPath(given)}${isDryRun ? '?dryRun=All' : ''}`, {
      body: { spec: { template: { metadata: { annotations } } } },
      contentType: mergePatch,
    })
    expectStatus(reply, [200], `${label} could not be restarted`)
    context.log(`${label} ${isDryRun ? 'would be restarted' : 'restarts'}`)
    const metadata = reply.body['metadata'] as { generation?: number } | undefined
    return { generation: metadata?.generation ?? 0 }
  }
  if (isDryRun) return work()
  return session.audited(
    { action: 'kubernetes.restart', class: 'update', diff: auditedWorkload(given) },
    work,
  )
}
