import type { Feature, Parts } from '../../feature.ts'
import type { DataKeys } from '../../platform/crypto/data-keys.ts'
import type { RootKey } from '../../platform/crypto/root-key.ts'
import { secretsDemo } from './demo.ts'
import type { OnSecretNotice } from './expiry.ts'
import { startSecretJobs } from './jobs.ts'
import { paletteSecrets } from './palette.ts'
import { createPurge } from './purge.ts'
import type { StartRotationWorkflow } from './rotation-job.ts'
import type { StartRotationRun } from './rotation-run/rotate-and-restart.ts'
import { rotationWorkflows } from './rotation-run/rotation-workflow.ts'
import { secretRoutes } from './routes.ts'
import { secretBelongings } from './belongings.ts'
import type { ClusterDoor } from '../kubernetes/connection/ports.ts'
import { startSyncs } from './sync/loop.ts'
import { secretResources } from './resources.ts'
import { secretRelations } from './relations.ts'

type SecretsNeeds = {
  dataKeys: DataKeys
  rootKey: RootKey
  clusters: ClusterDoor
  /** Starts the run that follows a rotation. */
  startRun: StartRotationRun
  /** Starts a workflow that rotates a secret on schedule. */
  startWorkflow: StartRotationWorkflow
  /** A secret expires soon, or could not be rotated; in the transaction that records that it was said. */
  onNotice: OnSecretNotice
}

export function secretsFeature(
  { database, clock, log }: Parts,
  { dataKeys, rootKey, clusters, startRun, startWorkflow, onNotice }: SecretsNeeds,
) {
  const parts = { database, dataKeys, clock }
  const stopJobs = startSecretJobs({ ...parts, log, onNotice, startWorkflow })
  const stopSyncs = startSyncs({ ...parts, clusters, log })
  return {
    handlers: secretRoutes(parts, rootKey, clusters, startRun),
    workflows: rotationWorkflows({ ...parts, clusters }),
    palette: { secret: paletteSecrets },
    inventory: [secretResources(database, clock)],
    relations: [secretRelations(parts)],
    retention: createPurge(parts),
    belongings: secretBelongings(clock),
    demo: secretsDemo(parts),
    async close() {
      await Promise.all([stopJobs(), stopSyncs()])
    },
  } satisfies Feature
}
