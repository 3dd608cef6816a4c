import { removeData, startBey } from '../tools/bey-server.ts'
import { treeMemoryMb } from './process-figures.ts'

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
  console.log(`  first start       ${(coldMs / 1000).toFixed(2)} s, making its database`)
  console.log(
    `  warm start        ${(warmMs / 1000).toFixed(2)} s to the first page = ${(warmMs / coldMs).toFixed(2)} of the first`,
  )
  console.log(
    `  memory at rest    ${memoryMb.toFixed(0)} MB with its database = ${(memoryMb / 300).toFixed(2)} of its budget`,
  )
  await bey.stop()
  removeData(bey)
}
