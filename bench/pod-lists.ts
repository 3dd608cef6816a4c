import type { Browser } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import type { BeySession } from '../tools/api-session.ts'
import { removeData, startBey } from '../tools/bey-server.ts'
import { report } from './figure.ts'
import { fillWithPods } from './fill-sandbox.ts'
import { firstRows } from './first-rows.ts'
import { clustersRun, importCluster } from './imported-clusters.ts'
import type { OutsideSandbox } from './outside-sandbox.ts'
import { startOutsideSandbox } from './outside-sandbox.ts'
import { visitorOf } from './page-load.ts'
import { median } from './process-figures.ts'
import { launchBrowser, person } from './with-browser.ts'

const rounds = 3

/**
 * The list of 10,000 pods of a sandbox: for the first reader after a start of the server, whose caches are cold, and for
 * the next one, by turns. A ratio is the median of pairs that one server answered.
 */
export async function measurePodLists(): Promise<void> {
  const sandbox = await startOutsideSandbox('large', 0)
  try {
    await fillWithPods(sandbox)
    await ofSandbox(sandbox)
  } finally {
    await sandbox.stop()
  }
}

async function ofSandbox(sandbox: OutsideSandbox): Promise<void> {
  let bey = await startBey()
  const { dataDir, tlsPort, url } = bey
  const browser = await launchBrowser()
  const restart = async () => {
    await bey.stop()
    bey = await startBey({ dataDir, tlsPort, port: Number(new URL(url).port) })
  }
  try {
    const session = await signUpByApi(url, person('Ada'))
    const clusterId = await importCluster(session, sandbox, 'large')
    await clustersRun(session, 1)
    const ask = () => answerTime(session, clusterId)
    const visit = await visitsOf(browser, session, `${url}/kubernetes/clusters/${clusterId}/pods`)
    const answers: Pair[] = []
    const rows: Pair[] = []
    for (let round = 0; round < rounds; round += 1) {
      await restart()
      const cold = await ask()
      await untilWhole(ask)
      answers.push({ coldMs: cold.ms, warmMs: (await ask()).ms })
      await restart()
      const coldMs = await visit()
      await untilWhole(ask)
      rows.push({ coldMs, warmMs: await visit() })
    }
    reportPairs('answer to the first reader of 10,000 pods, against the next', answers)
    reportPairs('first rows of 10,000 pods for the first reader, against the next', rows)
  } finally {
    await browser.close()
    await bey.stop()
    removeData(bey)
  }
}

type Pair = { coldMs: number; warmMs: number }

function reportPairs(name: string, pairs: readonly Pair[]): void {
  const of = (read: (pair: Pair) => number) => median(pairs.map(read))
  const detail = `${of(({ coldMs }) => coldMs).toFixed(1)} ms against ${of(({ warmMs }) => warmMs).toFixed(1)} ms, interleaved`
  report({ name, value: of(({ coldMs, warmMs }) => coldMs / warmMs), unit: '×', detail })
}

/** From the request to the answer, and whether it was no more than what had been read so far. */
async function answerTime({ client }: BeySession, id: number): Promise<{ ms: number; isPartial: boolean }> {
  const startedAt = performance.now()
  const { isPartial } = await client.call('kubernetes.pods', { params: { id }, query: { limit: 50 } })
  return { ms: performance.now() - startedAt, isPartial }
}

async function untilWhole(ask: () => Promise<{ isPartial: boolean }>): Promise<void> {
  while ((await ask()).isPartial) await new Promise((done) => setTimeout(done, 100))
}

/** Visits of somebody who was there before, each without a browser cache: the time to the first rows in milliseconds. */
async function visitsOf(browser: Browser, session: BeySession, url: string): Promise<() => Promise<number>> {
  const visitor = await visitorOf(browser, session)
  return async () => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await context.addInitScript((items) => {
      for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value)
    }, visitor)
    const ms = await firstRows(await context.newPage(), url)
    await context.close()
    return ms
  }
}
