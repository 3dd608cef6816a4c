import { act, serverItself } from '../../platform/act.ts'
import type { Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import {
  type DueSecret,
  isRotatedByRun,
  listManagers,
  listOverlapping,
  listRotatable,
  tryLockSecret,
} from './due-store.ts'
import type { OnSecretNotice } from './expiry.ts'
import { secretTarget, type SecretParts } from './parts.ts'
import type { Workflows } from '../workflows/service.ts'
import { nextTime, storeNext } from './rotation.ts'
import { findSecret, type SecretRow, updateSecret } from './store.ts'
import { listVersions, setVersionStatus } from './version-store.ts'

const firstRetryMs = 5 * 60_000
const longestRetryMs = 24 * 3_600_000

/** How long after so many failures in a row a rotation is tried again: 5 minutes, doubled each time, a day at most. */
export function retryDelayMs(attempts: number): number {
  return Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(attempts - 1, 20))
}

/** Starts a workflow of one's own, in the transaction that puts the next rotation off. */
export type StartRotationWorkflow = Workflows['startWorkflowRun']
type JobParts = SecretParts & { log: Log; onNotice: OnSecretNotice; startWorkflow: StartRotationWorkflow }

/** Rotations on schedule, and the end of the time in which two versions are live. */
export function createRotationJob({ log, onNotice, startWorkflow, ...parts }: JobParts) {
  const { database, clock } = parts

  async function rotateDue(db: Db, due: DueSecret, now: Date): Promise<void> {
    const row = await lockDue(db, due, now)
    if (row?.rotation == null) return
    const { overlapHours = null, workflowId, keyId = null } = row.rotation
    if (workflowId !== undefined) return startRotation(db, row, { workflowId, keyId }, now)
    const next = { reason: 'Rotated on schedule', encoding: 'utf8', overlapHours } as const
    const to = await storeNext(parts, db, row, next, null)
    const diff = { version: { from: row.currentVersion, to } }
    await act(db, serverItself(row.organizationId), {
      action: 'secret.rotate',
      class: 'update',
      diff,
      target: secretTarget(row),
    })
  }

  /** The workflow stores the next value itself, in the name of the person who made the secret. */
  async function startRotation(
    db: Db,
    row: SecretRow,
    { workflowId, keyId }: { workflowId: string; keyId: string | null },
    now: Date,
  ): Promise<void> {
    const { organizationId, id, name, rotation } = row
    const started = await startWorkflow(db, {
      organizationId,
      workflowId,
      input: { secret_id: id, secret: name },
      trigger: 'schedule',
      triggerName: `Rotation of ${name}`,
      createdBy: row.createdBy,
      keyId,
    })
    if (started.kind === 'skipped') throw new AppError('conflict', started.reason)
    await updateSecret(db, organizationId, id, {
      rotationFailure: null,
      rotationFailedAt: null,
      rotationRetryAt: null,
      rotationAttempts: 0,
      ...(rotation && { nextRotationAt: nextTime(now, rotation.everyDays) }),
    })
    const diff = { workflowId, runId: started.runId }
    await act(db, serverItself(row.organizationId), {
      action: 'secret.rotation.start',
      class: 'execute',
      diff,
      target: secretTarget(row),
    })
  }

  /** Marks what failed and puts it off, so that it does not hold up those due after it. Its managers are notified once. */
  async function markFailed(db: Db, due: DueSecret, now: Date, cause: string): Promise<void> {
    const row = await lockDue(db, due, now)
    if (row === undefined) return
    const { organizationId, id: secretId, name } = row
    const attempts = row.rotationAttempts + 1
    const retryAt = new Date(now.getTime() + retryDelayMs(attempts))
    await updateSecret(db, organizationId, secretId, {
      rotationFailure: cause,
      rotationFailedAt: now,
      rotationAttempts: attempts,
      rotationRetryAt: retryAt,
    })
    const diff = { cause, attempts, retryAt: retryAt.toISOString() }
    await act(db, serverItself(row.organizationId), {
      action: 'secret.rotate',
      class: 'update',
      outcome: 'failure',
      diff,
      target: secretTarget(row),
    })
    if (attempts > 1) return
    await onNotice(db, {
      organizationId,
      secretId,
      level: 'error',
      title: `Rotation of ${name} failed`,
      detail: `${cause} Version ${row.currentVersion} stays the current one. It is tried again by itself.`,
      userIds: await listManagers(db, due),
    })
  }

  async function endOverlap(db: Db, due: DueSecret, now: Date): Promise<void> {
    if (!(await tryLockSecret(db, due))) return
    const row = await findSecret(db, due.organizationId, due.id)
    if (row === undefined) return
    for (const { version, liveUntil } of await listVersions(db, due.organizationId, due.id)) {
      if (liveUntil === null || liveUntil > now) continue
      await setVersionStatus(db, due.organizationId, due.id, version, 'soft_deleted')
      const diff = { version, reason: 'Its time beside the newer version is over' }
      await act(db, serverItself(row.organizationId), {
        action: 'secret.version.delete',
        class: 'delete',
        diff,
        target: secretTarget(row),
      })
    }
  }

  return {
    /** Rotates what is due in every organization. Safe on several servers: each secret by the process that holds its lock. */
    async rotateAllDue(): Promise<void> {
      const now = clock.now()
      const due = await database.asSystem('rotate secrets on schedule', (db) => listRotatable(db, now))
      for (const secret of due) {
        const { organizationId, id } = secret
        try {
          await database.withTenant(organizationId, (db) => rotateDue(db, secret, now))
        } catch (error) {
          if (!(error instanceof AppError)) {
            log.warn(
              { err: error, organizationId, secretId: id },
              'A secret could not be rotated on schedule',
            )
          }
          const cause =
            error instanceof AppError ? error.message : "A fault stopped it; the server's log says which."
          await database.withTenant(organizationId, (db) => markFailed(db, secret, now, cause))
        }
      }
    },

    /** Deletes versions whose time beside a newer one is over; they can be undeleted until they are destroyed. */
    async endOverlaps(): Promise<void> {
      const now = clock.now()
      const due = await database.asSystem('end overlaps of secrets', (db) => listOverlapping(db, now))
      for (const secret of due) {
        await database.withTenant(secret.organizationId, (db) => endOverlap(db, secret, now))
      }
    },
  }
}

/** Undefined where another server works on it, did it already, or it was put off meanwhile. */
async function lockDue(db: Db, due: DueSecret, now: Date): Promise<SecretRow | undefined> {
  if (!(await tryLockSecret(db, due))) return undefined
  const row = await findSecret(db, due.organizationId, due.id)
  // The run decides whether the new value stays.
  if (row !== undefined && (await isRotatedByRun(db, row))) return undefined
  const dueAt = row?.rotationRetryAt ?? row?.nextRotationAt
  return row?.status === 'active' && row.nextRotationAt && dueAt && dueAt <= now ? row : undefined
}
