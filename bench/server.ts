import { removeData, startBey } from '../tools/bey-server.ts'
import { treeMemoryMb } from './process-figures.ts'
import { report } from './figure.ts'

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
  report({ name: 'first start, making its database', value: coldMs, unit: 'ms' })
  report({ name: 'warm start to the first page', value: warmMs, unit: 'ms', goal: 3_000 })
  report({ name: 'memory at rest, with its database', value: memoryMb, unit: 'MB', goal: 300 })
  await bey.stop()
  removeData(bey)
}
