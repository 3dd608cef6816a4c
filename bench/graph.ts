import type { Page } from '@playwright/test'
import pg from 'pg'
import { embeddedDatabaseUrl } from '../tools/seed-metrics.ts'
import { report } from './figure.ts'
import { firstUse } from './first-use.ts'
import { median, percentile } from './process-figures.ts'
import { withBrowser } from './with-browser.ts'

/** Of each of two kinds; every database reads the secret of its number. */
const each = 1_000
const visits = 3
const moves = 60
const canvas = 'section[aria-label="Relationships"]'

/** The graph of 2,000 resources: until it can be used, and the main thread's work on a frame while it is panned and zoomed. */
export async function run(): Promise<void> {
  await withBrowser(async ({ bey, browser, session }) => {
    await session.client.call('secrets.create', {
      body: { name: 'first', value: 'a-value-of-the-benchmark' },
    })
    await seed(embeddedDatabaseUrl(bey.dataDir))
    const loads: number[] = []
    const cpu: number[] = []
    const frames: number[] = []
    for (let visit = 0; visit <= visits; visit += 1) {
      const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
      await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
      const load = await firstUse(page, `${bey.url}/entity-relationships`, '[data-kind-box]')
      // The first page of a browser that has just started pays for its processes.
      if (visit > 0) {
        loads.push(load.interactiveMs)
        cpu.push(load.cpuMs)
      }
      frames.push(...(await frameWork(page)))
      await page.context().close()
    }
    report({
      name: `graph of ${2 * each} resources: interactive`,
      value: median(loads),
      unit: 'ms',
      goal: 1_000,
      detail: `median of ${visits} visits of an empty cache; ${Math.round(median(cpu))} ms of it CPU time of the main thread`,
    })
    const ofMainThread =
      'CPU time of the main thread from an input to the end of its frame; nothing is rasterized by a GPU here'
    report({
      name: 'panning and zooming: a frame, p95',
      value: percentile(frames, 0.95),
      unit: 'ms',
      goal: 32,
      detail: ofMainThread,
    })
    report({
      name: 'panning and zooming: the longest frame',
      value: Math.max(...frames),
      unit: 'ms',
      goal: 32,
      detail: `of ${frames.length}; ${ofMainThread}`,
    })
  })
}

/** Secrets like the one that is there, and databases that read them. */
async function seed(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, application_name: 'bey-seed' })
  await client.connect()
  try {
    await client.query(
      `insert into secrets select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(),
         'name', 'secret-' || n))).* from secrets s, generate_series(2, $1::int) n where s.name = 'first'`,
      [each],
    )
    await client.query(
      `insert into databases (id, organization_id, name, provider, status, database_name, username, tls, credential_secret_id)
       select gen_random_uuid(), s.organization_id, 'database-' || row_number() over (), 'embedded', 'hibernated', 'app', 'app',
         'disable', s.id from secrets s`,
    )
  } finally {
    await client.end()
  }
}

/**
 * CPU time of the main thread in milliseconds from each input until its frame is painted, with what asking for it takes.
 * A busy machine does not lengthen it.
 */
async function frameWork(page: Page): Promise<number[]> {
  const box = await page.locator(canvas).first().boundingBox()
  if (!box) throw new Error('The graph has no place.')
  const client = await page.context().newCDPSession(page)
  await client.send('Performance.enable', { timeDomain: 'threadTicks' })
  const cpuMs = async () => {
    const { metrics } = await client.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000
  }
  const times: number[] = []
  const measure = async (input: () => Promise<void>) => {
    const before = await cpuMs()
    await input()
    await painted(page)
    times.push((await cpuMs()) - before)
  }
  const [x, y] = [box.x + box.width / 2, box.y + box.height - 40]
  await page.mouse.move(x, y)
  for (let move = 0; move < moves; move += 1)
    await measure(() => page.mouse.wheel(0, move % 2 === 0 ? 120 : -120))
  await page.keyboard.down('Control')
  for (let move = 0; move < moves; move += 1)
    await measure(() => page.mouse.wheel(0, move % 8 < 4 ? 60 : -60))
  await page.keyboard.up('Control')
  await page.mouse.down()
  for (let move = 0; move < moves; move += 1)
    await measure(() => page.mouse.move(x + (move % 20) * 8, y - (move % 10) * 6))
  await page.mouse.up()
  await client.detach()
  return times
}

/** A message that is posted within a frame arrives after its paint. */
function painted(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const channel = new MessageChannel()
        channel.port1.onmessage = () => resolve()
        requestAnimationFrame(() => channel.port2.postMessage(0))
      }),
  )
}
