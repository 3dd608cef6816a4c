import { z } from 'zod'

import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import type { StepParts } from '../ports.ts'
import type { ActionContext, ActionStepType } from '../step-type.ts'
import { clusterField, expectStatus, openSession } from './cluster-session.ts'
import { labelOf } from './kube-object.ts'
import { findObjects, targetFields } from './object-target.ts'
import { alwaysGuaranteed } from '../guarantee.ts'

const config = z.strictObject({
  cluster: clusterField,
  ...targetFields,
  ignore_missing: z.boolean().default(true).meta({
    title: 'Missing is fine',
    description: 'Without it the step fails where there is nothing to delete.',
  }),
  propagation: z.enum(['Background', 'Foreground', 'Orphan']).default('Background').meta({
    title: 'Dependents',
    description: 'Background and Foreground delete what the object owns; Orphan leaves it.',
  }),
})
type Config = z.output<typeof config>

export function kubernetesDelete(parts: StepParts): ActionStepType<typeof config> {
  return {
    kind: 'action',
    type: 'kubernetes.delete',
    label: 'Delete objects',
    group: 'Kubernetes',
    icon: 'trash-2',
    description: 'Deletes one object, or all that a selector finds.',
    guaranteeNote: 'Deleting again finds nothing. It does not wait until the objects are gone.',
    config,
    example: {
      cluster: '{{ inputs.cluster }}',
      api_version: 'v1',
      kind: 'ConfigMap',
      namespace: 'default',
      name: 'settings',
    },
    output: {
      type: 'object',
      properties: { deleted: { type: 'array', items: { type: 'string' } } },
    },
    permission: 'kubernetes.delete',
    guarantee: alwaysGuaranteed('at_least_once_keyed'),
    test: { dryRun: (context, given) => remove(parts, context, given, true) },
    execute: (context, given) => remove(parts, context, given, false),
  }
}

async function remove(parts: StepParts, context: ActionContext, given: Config, isDryRun: boolean) {
  const session = await openSession(parts, context, given.cluster, 'kubernetes.delete')
  const { objects, paths } = await findObjects(session, given)
  if (objects.length === 0) {
    if (!given.ignore_missing) throw new StepFailure(`There is no such ${given.kind} to delete.`)
    context.log('There is nothing to delete.')
    return { deleted: [] }
  }
  const labels = objects.map(labelOf)
  const work = async () => {
    for (const object of objects) {
      const { namespace, name = '', uid } = object.metadata ?? {}
      const reply = await session.call(
        'DELETE',
        paths.object(namespace, name) + (isDryRun ? '?dryRun=All' : ''),
        {
          // Another object may have taken the name meanwhile.
          body: { propagationPolicy: given.propagation, preconditions: { uid } },
        },
      )
      expectStatus(reply, [200, 202, 404, 409], `${labelOf(object)} could not be deleted`)
      context.log(`${labelOf(object)}: ${isDryRun ? 'would be deleted' : 'deleted'}`)
    }
    return { deleted: labels }
  }
  if (isDryRun) return work()
  const diff = { objects: labels.slice(0, 20), count: labels.length }
  return session.audited({ action: 'kubernetes.delete', class: 'delete', diff }, work)
}
