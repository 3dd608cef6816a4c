import { z } from 'zod'

import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import type { StepParts } from '../ports.ts'
import type { ActionStepType } from '../step-type.ts'
import { clusterField, objectName, openSession } from './cluster-session.ts'
import { shownObject } from './kube-object.ts'
import { findObjects, kindFields } from './object-target.ts'
import { alwaysGuaranteed } from '../guarantee.ts'

const config = z.strictObject({
  cluster: clusterField,
  ...kindFields,
  name: objectName.meta({ title: 'Name' }),
  allow_missing: z.boolean().default(false).meta({
    title: 'May be missing',
    description: 'The output is then { "object": null }; without it the step fails.',
  }),
})

export function kubernetesGet(parts: StepParts): ActionStepType<typeof config> {
  return {
    kind: 'action',
    type: 'kubernetes.get',
    label: 'Read object',
    group: 'Kubernetes',
    icon: 'file-search',
    description: 'Reads one object into the output. Values of Secrets are left out.',
    guaranteeNote: 'It only reads.',
    config,
    example: {
      cluster: '{{ inputs.cluster }}',
      api_version: 'apps/v1',
      kind: 'Deployment',
      namespace: 'default',
      name: 'web',
    },
    output: { type: 'object', properties: { object: { type: ['object', 'null'] } } },
    permission: 'kubernetes.read',
    guarantee: alwaysGuaranteed('at_least_once_keyed'),
    test: 'pure',
    async execute(context, given) {
      const session = await openSession(parts, context, given.cluster, 'kubernetes.read')
      const { objects } = await findObjects(session, given)
      const [object] = objects
      if (object !== undefined) return { object: shownObject(object) }
      if (given.allow_missing) return { object: null }
      throw new StepFailure(`There is no ${given.kind} "${given.name}".`)
    },
  }
}
