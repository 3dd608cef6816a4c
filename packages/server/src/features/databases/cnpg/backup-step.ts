import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type { StepContext } from '../../workflows/definition/definition.ts'
import { backupManifest, type BackupObject, backupsPath, methodOf, presentBackup } from './backup-objects.ts'
import { messageOf } from './cluster-object.ts'
import { type ClusterStepParts, clusterSteps } from './cluster-steps.ts'
import { readCluster, type Subject } from './wait-for-cluster.ts'

/** An operator that says nothing of a Backup for so long does not look at it. */
const silentMs = 60_000
const longestMs = 24 * 3_600_000

/** Asks CloudNativePG for a Backup and waits for its end. */
export function backupStep(parts: ClusterStepParts) {
  const step = clusterSteps(parts)
  return step('backup', 'Back it up', (context, subject) => backUp(parts, context, subject))
}

/**
 * Backs a Cluster up and answers the name of the Backup. That is of the run, so that a second attempt finds it. Throws
 * StepFailure with the words of CloudNativePG.
 */
export async function backUp(
  { clock }: Pick<ClusterStepParts, 'clock'>,
  context: Pick<StepContext, 'run' | 'log' | 'sleep'>,
  subject: Subject,
): Promise<{ backup: string }> {
  const { namespace, name, call } = subject
  const object = await readCluster(subject)
  if (object === undefined) throw new StepFailure('Its Cluster is gone.')
  const method = methodOf(object)
  if (method === null) {
    throw new StepFailure(
      `The Cluster "${name}" names no store and no plugin for backups. Name one in its specification first.`,
    )
  }
  const backup = `${name.slice(0, 40)}-${context.run.id.slice(-12)}`
  const path = backupsPath(namespace, backup)
  const found = await call('GET', path)
  if (found.status === 404) {
    const made = await call('POST', backupsPath(namespace), {
      body: backupManifest(object, backup, method),
    })
    if (made.status >= 300 && made.status !== 409) {
      throw new StepFailure(`The cluster refuses the Backup: ${messageOf(made)}.`)
    }
  } else if (found.status >= 300) {
    throw new StepFailure(`The Backup cannot be read: ${messageOf(found)}.`)
  }
  context.log(`The Backup "${backup}" is asked for, by ${method}.`)
  const begunMs = clock.monotonicMs()
  let phase: string | undefined
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- until it has ended
    const answer = await call('GET', path)
    if (answer.status === 404) throw new StepFailure(`The Backup "${backup}" was deleted before it ended.`)
    if (answer.status < 300) {
      const shown = presentBackup(answer.body as BackupObject)
      if (shown.phase !== phase && shown.phase !== '') context.log(`CloudNativePG says: ${shown.phase}.`)
      phase = shown.phase
      if (phase === 'completed') return { backup }
      if (phase === 'failed')
        throw new StepFailure(`The backup failed: ${shown.error ?? 'CloudNativePG says no more.'}`)
      if (phase === 'walArchivingFailing' && clock.monotonicMs() - begunMs > silentMs) {
        throw new StepFailure('The backup cannot end: the changes that make it consistent are not archived.')
      }
    }
    const passedMs = clock.monotonicMs() - begunMs
    if (!phase && passedMs > silentMs) {
      throw new StepFailure(
        'CloudNativePG says nothing of the Backup for 60 s. Look whether its operator runs.',
      )
    }
    if (passedMs > longestMs) throw new StepFailure('The backup has not ended after 24 h.')
    // oxlint-disable-next-line no-await-in-loop -- until it has ended
    await context.sleep(1_000)
  }
}
