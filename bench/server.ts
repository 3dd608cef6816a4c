import { removeData, startBey } from '../tools/bey-server.ts'
import { processMemoryMb, treeMemoryMb } from './process-figures.ts'
import { report } from './figure.ts'

const startCause = 'PostgreSQL starts first; then the code is loaded and the access rules are applied anew'

/** Start times of the server, and its memory at rest with its database. */
export async function run(): Promise<void> {
  const coldStartedAt = performance.now()
  const first = await startBey()
  const coldMs = performance.now() - coldStartedAt
  await first.stop()
  const warmStartedAt = performance.now()
  const bey = await startBey({ dataDir: first.dataDir })
  const page = await fetch(bey.url)
  await page.text()
  const warmMs = performance.now() - warmStartedAt
  await new Promise((done) => setTimeout(done, 10_000))
  const memoryMb = treeMemoryMb(bey.pid)
  const ownMb = processMemoryMb(bey.pid)
  report({ name: 'first start, making its database', value: coldMs, unit: 'ms' })
  report({ name: 'warm start to the first page', value: warmMs, unit: 'ms', goal: 3_000, cause: startCause })
  report({
    name: 'memory at rest, with its database',
    value: memoryMb,
    unit: 'MB',
    goal: 300,
    detail: `${ownMb.toFixed(0)} MB of it the server itself`,
    cause:
      'the code of the server and its libraries stays in memory, and each connection is a process of PostgreSQL',
  })
  await bey.stop()
  removeData(bey)
}
