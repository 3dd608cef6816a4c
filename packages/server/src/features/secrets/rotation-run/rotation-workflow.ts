import { z } from 'zod'
import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type {
  StepContext,
  StepDefinition,
  WorkflowDefinition,
} from '../../workflows/definition/definition.ts'
import { ClusterFailure } from '../../../platform/clusters/open-cluster.ts'
import type { SyncParts } from '../sync/reconcile.ts'
import { createCopyActs, type Deadlines } from './copies.ts'
import { rollBack } from './roll-back.ts'

export const rotationWorkflowKey = 'secret.rotate'

const rotationInput = z.object({ secretId: z.uuid(), name: z.string(), from: z.number(), to: z.number() })
export type RotationInput = z.infer<typeof rotationInput>

const usualDeadlines: Deadlines = { copyMs: 5 * 60_000, rolloutMs: 10 * 60_000 }

/**
 * The built-in workflow that follows a rotation: the new value reaches the clusters, what uses it is restarted and has to
 * run again. Where a step fails, the old value is stored again and everything restarted once more.
 */
export function rotationWorkflows(parts: SyncParts, deadlines = usualDeadlines): WorkflowDefinition[] {
  const { database } = parts
  const acts = createCopyActs(parts, deadlines)

  type Work = (context: StepContext, input: RotationInput) => Promise<Record<string, unknown> | undefined>

  function step(key: string, name: string, work: Work): StepDefinition {
    return {
      key,
      name,
      type: 'secret.rotate',
      // Each looks at what is there before it acts.
      guarantee: 'at_least_once_keyed',
      async execute(context) {
        const input = rotationInput.parse(context.run.input)
        try {
          return await work(context, input)
        } catch (error) {
          if (!(error instanceof StepFailure || error instanceof ClusterFailure)) throw error
          throw new StepFailure(`${error.message} ${await undo(context, input)}`, { cause: error })
        }
      },
    }
  }

  /** Answers in a sentence what became of the old value. */
  async function undo(context: StepContext, { secretId, from, to }: RotationInput): Promise<string> {
    const { organizationId } = context.run
    context.log(`Rolling back to version ${from}.`, 'warning')
    const result = await database.withTenant(organizationId, (db) =>
      rollBack(parts, db, { organizationId, secretId, from, to }),
    )
    if ('left' in result) return `The old value was not restored: ${result.left}.`
    const { version } = result
    const restored = `The value of version ${from} is current again, as version ${version}.`
    try {
      await acts.awaitCopies({ context, secretId, version })
      await acts.restartAll({ context, secretId, version })
      return restored
    } catch (error) {
      if (!(error instanceof StepFailure || error instanceof ClusterFailure)) throw error
      return `${restored} Not everything has it yet: ${error.message}`
    }
  }

  return [
    {
      key: rotationWorkflowKey,
      name: 'Rotate secret and restart',
      description:
        'Brings the new value of a secret to its clusters, restarts what uses it, and restores the old value if that fails.',
      type: 'maintenance',
      cancelPermission: 'secrets.update',
      steps: [
        step('copy', 'Write the copies in clusters', async (context, { secretId, to: version }) => {
          const copies = await acts.awaitCopies({ context, secretId, version })
          context.log(copies === 0 ? 'No cluster holds a copy.' : `${copies} copies hold version ${version}.`)
          return { copies }
        }),
        step('restart', 'Restart what uses it', async (context, { secretId, to: version }) => ({
          restarted: await acts.restartAll({ context, secretId, version }),
        })),
        step('verify', 'Wait until it runs again', async (context, { secretId }) => {
          await acts.awaitRollouts({ context, secretId })
          return undefined
        }),
      ],
    },
  ]
}
