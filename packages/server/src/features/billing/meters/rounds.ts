import type { BillingParts } from '../parts.ts'
import { meterCluster } from './clusters.ts'
import { meterDatabase } from './databases.ts'
import { readDue } from './metered.ts'
import { meterRuns } from './runs.ts'
import { meterWebhookAttempts } from './webhook-attempts.ts'

const everyMs = 60_000
/** Of ended runs and attempts: transactions that take longer than this to commit are found at the next start. */
const overlapMs = 20 * 60_000
/** What a process looks back for when it starts; attempts and runs are kept at least so long. */
const firstMs = 7 * 24 * 3_600_000

/** Meters what was used, every minute. Several processes may: events that another one wrote count once. */
export function meterRounds(parts: BillingParts) {
  const { clock, log } = parts
  let working: Promise<void> | undefined
  let isStopped = false
  let isFirst = true

  async function attempt(what: string, work: () => Promise<unknown>): Promise<void> {
    if (isStopped) return
    await work().catch((error: unknown) =>
      log.debug({ err: error }, `${what} could not be metered; the next round tries again`),
    )
  }

  async function round(): Promise<void> {
    const nowMs = clock.now().getTime()
    const since = new Date(nowMs - (isFirst ? firstMs : overlapMs))
    await attempt('Runs', async () => {
      while (!isStopped && (await meterRuns(parts, since)) > 0);
    })
    await attempt('Attempts of webhooks', async () => {
      while (!isStopped && (await meterWebhookAttempts(parts, since)) > 0);
    })
    isFirst = false
    const { clusters, databases } = await parts.database.asSystem('list what is due to be metered', (db) =>
      // A quarter of an hour, and the time that late samples have.
      readDue(db, nowMs - 17 * 60_000),
    )
    for (const cluster of clusters) {
      await attempt('A cluster', async () => {
        while (!isStopped && (await meterCluster(parts, cluster, nowMs)));
      })
    }
    for (const each of databases) {
      await attempt('A database', async () => {
        while (!isStopped && (await meterDatabase(parts, each, nowMs)));
      })
    }
  }

  const cancel = clock.setInterval(() => {
    working ??= round()
      .catch((error: unknown) =>
        log.debug({ err: error }, 'Nothing could be metered; the next round tries again'),
      )
      .finally(() => (working = undefined))
  }, everyMs)
  return {
    async stop() {
      isStopped = true
      cancel()
      await working
    },
  }
}
