import type { Log } from '../../platform/log.ts'
import { createExpiryNotices, type OnSecretNotice } from './expiry.ts'
import type { SecretParts } from './parts.ts'
import { createRotationJob, type StartRotationWorkflow } from './rotation-job.ts'

const periodMs = 60_000

type JobOptions = SecretParts & { log: Log; onNotice: OnSecretNotice; startWorkflow: StartRotationWorkflow }

/**
 * What the server does with secrets by itself, at once and every minute until stopped. Several servers of one database
 * share the work: each secret is done by the process that holds its lock. What fails is logged and tried again.
 */
export function startSecretJobs({ log, onNotice, startWorkflow, ...parts }: JobOptions): () => Promise<void> {
  const { clock } = parts
  const rotation = createRotationJob({ ...parts, log, onNotice, startWorkflow })
  const jobs = [createExpiryNotices(parts, onNotice), rotation.rotateAllDue, rotation.endOverlaps]
  let working: Promise<void> | undefined

  async function work(): Promise<void> {
    for (const job of jobs) {
      await job().catch((error: unknown) => {
        log.warn({ err: error }, 'The server could not look after the secrets')
      })
    }
    working = undefined
  }
  const begin = () => {
    working ??= work()
  }
  begin()
  const cancel = clock.setInterval(begin, periodMs)
  return async () => {
    cancel()
    await working
  }
}
