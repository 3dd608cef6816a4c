import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { DemoLife } from '../../platform/demo.ts'
import type { Log } from '../../platform/log.ts'
import { livingDemos } from './store.ts'

const roundMs = 2_000

/** Lets features tend to what they run in demos, one round after the other. Returns a function that ends this. */
export function createRounds({
  database,
  clock,
  log,
  lives,
}: {
  database: Database
  clock: Clock
  log: Log
  lives: () => readonly Pick<DemoLife, 'tend'>[]
}): () => Promise<void> {
  let current: Promise<void> | undefined
  async function round(): Promise<void> {
    const demos = await database.asSystem('find demos that go on', (db) => livingDemos(db, clock.now()))
    for (const demo of demos) {
      for (const { tend } of lives()) {
        await tend(demo).catch((error: unknown) =>
          log.debug(
            { err: error, ...demo },
            'A part of a demo was not tended to; the next round tries again',
          ),
        )
      }
    }
  }
  const cancel = clock.setInterval(() => {
    current ??= round()
      .catch((error: unknown) =>
        log.debug({ err: error }, 'Demos were not found; the next round tries again'),
      )
      .finally(() => (current = undefined))
  }, roundMs)
  return async () => {
    cancel()
    await current
  }
}
