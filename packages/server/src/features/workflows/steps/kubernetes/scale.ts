import { z } from 'zod'

import type { StepParts } from '../ports.ts'
import type { ActionContext, ActionStepType } from '../step-type.ts'
import { expectStatus, openSession } from './cluster-session.ts'
import { auditedWorkload, mergePatch, workloadFields, workloadPath } from './workload-target.ts'
import { alwaysGuaranteed } from '../guarantee.ts'

const config = z.strictObject({
  ...workloadFields(['Deployment', 'StatefulSet', 'ReplicaSet']),
  replicas: z.number().int().min(0).max(10_000).meta({ title: 'Replicas' }),
})
type Config = z.output<typeof config>

export function kubernetesScale(parts: StepParts): ActionStepType<typeof config> {
  return {
    kind: 'action',
    type: 'kubernetes.scale',
    label: 'Scale workload',
    group: 'Kubernetes',
    icon: 'scaling',
    description: 'Sets the number of replicas of a workload.',
    guaranteeNote: 'Scaling to the same number again changes nothing. It does not wait for the pods.',
    config,
    example: { cluster: '{{ inputs.cluster }}', namespace: 'default', name: 'web', replicas: 3 },
    output: { type: 'object', properties: { replicas: { type: 'integer' } } },
    permission: 'kubernetes.write',
    guarantee: alwaysGuaranteed('at_least_once_keyed'),
    test: { dryRun: (context, given) => scale(parts, context, given, true) },
    async execute(context, given) {
      return scale(parts, context, given, false)
    },
  }
}

async function scale(parts: StepParts, context: ActionContext, given: Config, isDryRun: boolean) {
  const session = await openSession(parts, context, given.cluster)
  const label = `${given.kind} ${given.namespace}/${given.name}`
  const work = async () => {
    const reply = await session.call(
      'PATCH',
      `${workloadPath(given)}/scale${isDryRun ? '?dryRun=All' : ''}`,
      { body: { spec: { replicas: given.replicas } }, contentType: mergePatch },
    )
    expectStatus(reply, [200], `${label} could not be scaled`)
    context.log(`${label}: ${given.replicas} replicas`)
    return { replicas: given.replicas }
  }
  if (isDryRun) return work()
  const diff = { ...auditedWorkload(given), replicas: given.replicas }
  return session.audited({ action: 'kubernetes.scale', class: 'update', diff }, work)
}
