import type { Workflows } from '../../workflows/service.ts'
import { detailOf, type SecretParts, type Who } from '../parts.ts'
import { createRotation } from '../rotation.ts'
import { type RotationInput, rotationWorkflowKey } from './rotation-workflow.ts'

export type StartRotationRun = Workflows['startRun']
type Rotate = Parameters<ReturnType<typeof createRotation>['rotate']>

/** Rotates and starts, in the same transaction, the run that restarts what uses the secret. */
export function createRotateAndRestart(parts: SecretParts, startRun: StartRotationRun) {
  const { rotateAnd } = createRotation(parts)
  return (id: string, body: Rotate[1], who: Who) =>
    rotateAnd(id, body, who, async (db, { row, to }) => {
      const input: RotationInput = { secretId: id, name: row.name, from: row.currentVersion, to }
      const run = await startRun(db, {
        organizationId: who.organizationId,
        workflowKey: rotationWorkflowKey,
        subject: { type: 'secret', id },
        input,
        trigger: 'manual',
        createdBy: who.user.id,
      })
      return { secret: await detailOf(db, id, who), ...run, status: 'queued' }
    })
}
