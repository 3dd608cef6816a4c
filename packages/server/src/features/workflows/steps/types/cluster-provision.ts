import { creatingProviders } from '@bey/contract/clusters/endpoints'
import { z } from 'zod'

import { AppError } from '../../../../platform/errors.ts'
import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import { findByName } from '../kubernetes/cluster-session.ts'
import { guaranteedBy } from '../guarantee.ts'
import type { StepParts } from '../ports.ts'
import { actorOf, type RunActor } from '../run-actor.ts'
import type { ActionContext, ActionStepType } from '../step-type.ts'

const pollMs = 500

const config = z.strictObject({
  title: z.string().min(1).max(63).meta({ title: 'Name' }),
  provider: z.enum(creatingProviders).default('sandbox').meta({ title: 'Provider' }),
  region: z.string().max(100).optional().meta({ title: 'Region' }),
  version: z.string().max(50).optional().meta({ title: 'Version of Kubernetes' }),
  if_exists: z.enum(['use', 'fail']).default('use').meta({
    title: 'Where it exists',
    description: 'Use the cluster of this name, or fail. To use it makes the step repeatable.',
  }),
})
type Config = z.output<typeof config>

export function clusterProvision(parts: StepParts): ActionStepType<typeof config> {
  return {
    kind: 'action',
    type: 'cluster.provision',
    label: 'Create cluster',
    group: 'Bey',
    icon: 'server',
    description: 'Creates a cluster and waits until it runs.',
    guaranteeNote:
      'Where an existing cluster may be used, a repetition finds the one of the same name and waits for it.',
    config,
    example: { title: 'preview-{{ inputs.branch }}', provider: 'sandbox' },
    output: {
      type: 'object',
      properties: { cluster: { type: 'integer' }, title: { type: 'string' } },
    },
    permission: 'clusters.create',
    test: 'real_only',
    guarantee: guaranteedBy(
      config,
      [{ field: 'if_exists', values: ['use'], guarantee: 'at_least_once_keyed' }],
      'at_least_once',
    ),
    async execute(context, given) {
      const { run } = context
      const actor = await actorOf(parts.database, run, 'clusters.create')
      const id = await create(parts, context, given, actor)
      context.log(`Waiting until "${given.title}" runs.`)
      for (;;) {
        const { status, error } = await parts.clusters.get(run.organizationId, id)
        if (status === 'RUNNING') return { cluster: id, title: given.title }
        if (status === 'FAILED' || status === 'DELETED') {
          throw new StepFailure(`The cluster "${given.title}" is ${status}${error ? `: ${error}` : '.'}`)
        }
        await context.sleep(pollMs)
      }
    },
  }
}

async function create(
  { clusters, database }: StepParts,
  { run, log }: ActionContext,
  { if_exists: policy, ...cluster }: Config,
  who: RunActor,
): Promise<number> {
  try {
    const { id } = await clusters.create(run.organizationId, cluster, who)
    return id
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code !== 'name_taken' || policy === 'fail') {
      throw new StepFailure(error.message, { cause: error })
    }
    log(`A cluster named "${cluster.title}" exists and is used.`)
    return (await findByName(database, run.organizationId, cluster.title)).id
  }
}
