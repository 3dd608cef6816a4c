import { z } from 'zod'

import { AppError } from '../../../../platform/errors.ts'
import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import { clusterField, findByName } from '../kubernetes/cluster-session.ts'
import type { StepParts } from '../ports.ts'
import { actorOf } from '../run-actor.ts'
import type { ActionStepType } from '../step-type.ts'
import { alwaysGuaranteed } from '../guarantee.ts'

const pollMs = 500

const config = z.strictObject({
  cluster: clusterField,
  ignore_missing: z.boolean().default(true).meta({ title: 'Missing is fine' }),
})

export function clusterDelete(parts: StepParts): ActionStepType<typeof config> {
  return {
    kind: 'action',
    type: 'cluster.delete',
    label: 'Delete cluster',
    group: 'Bey',
    icon: 'server-off',
    description:
      'Deletes a cluster with everything in it, or disconnects an imported one, and waits for the end.',
    guaranteeNote: 'A repetition waits for the deletion that is under way, or finds no cluster.',
    config,
    example: { cluster: '{{ steps.create.output.cluster }}' },
    output: { type: 'object', properties: { cluster: { type: ['integer', 'null'] } } },
    permission: 'clusters.delete',
    test: 'real_only',
    guarantee: alwaysGuaranteed('at_least_once_keyed'),
    async execute(context, given) {
      const { run } = context
      const id = await findId(given.cluster)
      const touched = id === undefined ? [] : [{ type: 'cluster', id: String(id) } as const]
      const actor = await actorOf(parts.database, run, 'clusters.delete', touched)
      if (id === undefined) {
        context.log('There is no such cluster.')
        return { cluster: null }
      }
      await undefinedIfDeleted(() => parts.clusters.remove(run.organizationId, id, actor))
      context.log('Waiting until the cluster is deleted.')
      for (;;) {
        const found = await undefinedIfDeleted(() => parts.clusters.get(run.organizationId, id))
        if (found === undefined || found.status === 'DELETED') return { cluster: id }
        if (found.status === 'FAILED') {
          throw new StepFailure(`The cluster could not be deleted: ${found.error ?? 'its run failed'}`)
        }
        await context.sleep(pollMs)
      }

      async function findId(cluster: number | string): Promise<number | undefined> {
        try {
          return (await findByName(parts.database, run.organizationId, cluster)).id
        } catch (error) {
          if (error instanceof StepFailure && given.ignore_missing) return undefined
          throw error
        }
      }
    },
  }
}

/** Undefined where the cluster does not exist any more. */
async function undefinedIfDeleted<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'not_found') return undefined
    throw new StepFailure(error.message, { cause: error })
  }
}
