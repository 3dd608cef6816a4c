import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Page } from '@playwright/test'
import { databaseMetrics, waitClasses } from '@bey/contract'
import pg from 'pg'
import { type Database, openDatabase } from '../packages/server/src/platform/db/database.ts'
import { createLog } from '../packages/server/src/platform/log.ts'
import { openMetrics, type Sample } from '../packages/server/src/platform/metrics/metrics.ts'
import { makePartitions } from '../packages/server/src/platform/metrics/partitions.ts'
import { fakeClock } from '../packages/server/src/testing/clock.ts'
import { signUpByApi } from '../tools/api-session.ts'
import { removeData, startBey } from '../tools/bey-server.ts'
import { report } from './figure.ts'
import { firstRows } from './first-rows.ts'
import { median, treeCpuMs } from './process-figures.ts'
import { launchBrowser, person } from './with-browser.ts'

const hourMs = 3_600_000
const many = 100
const visits = 5
const sampledSeconds = 30
/** 10,000 rows of a megabyte each. */
const tenGigabytes = `select repeat('x', 1000000) as part from generate_series(1, 10000)`

/**
 * What the pages of databases cost in a browser: the first rows of 100, 30 days of one, and an answer of 10 GB. And what
 * sampling costs a database that is looked after.
 */
export async function run(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bey-bench-'))
  const database = await openDatabase({ dataDir }, createLog({ level: 'error' }))
  const bey = await startBey({ env: { DATABASE_URL: database.url } })
  const browser = await launchBrowser(['--enable-precise-memory-info'])
  const newPage = async (token: string) => {
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
    await page.addInitScript((value) => localStorage.setItem('bey-token', value), token)
    return page
  }
  try {
    const { client, token, organizationId } = await signUpByApi(bey.url, person('Ada'))
    const made = await client.call('databases.create', { body: { provider: 'embedded', name: 'orders' } })
    const params = { id: made.id }
    const isThere = async () => (await client.call('databases.get', { params })).status === 'available'
    // oxlint-disable-next-line no-await-in-loop -- until its server answers
    while (!(await isThere())) await new Promise((done) => setTimeout(done, 100))
    const { endpoint, credential } = await client.call('databases.get', { params })
    const { value: password } = await client.call('secrets.reveal', {
      params: { id: credential?.id ?? '' },
      body: { reason: 'Benchmark' },
    })
    const { port, database: name, username } = endpoint ?? {}
    await measureSampling(
      database,
      made.id,
      `postgresql://${username}:${typeof password === 'string' ? password : ''}@127.0.0.1:${port}/${name}`,
    )

    const ids = await fillDatabases(database, organizationId, made.id)
    await fillHistory(database, organizationId, [...ids, made.id])
    const rows: number[] = []
    const drawn: number[] = []
    for (let visit = 0; visit < visits; visit += 1) {
      const page = await newPage(token)
      rows.push(await firstRows(page, `${bey.url}/databases/metrics`))
      drawn.push(await thirtyDays(page, `${bey.url}/databases/${made.id}?tab=metrics`))
      await page.context().close()
    }
    report({
      name: `first rows of the metrics of ${many} databases`,
      value: median(rows),
      unit: 'ms',
      goal: 600,
    })
    report({ name: '30 days of a database, read and drawn', value: median(drawn), unit: 'ms', goal: 300 })

    const page = await newPage(token)
    await measureAnswer(page, `${bey.url}/databases/${made.id}?tab=sql`)
  } finally {
    await browser.close()
    await bey.stop()
    removeData(bey)
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Processor time of an otherwise idle database while Bey samples it, including the background processes of PostgreSQL. */
async function measureSampling(database: Database, id: string, uri: string): Promise<void> {
  const { rows } = await database.ownerPool.query<{ dir: string }>(
    'select dir from databases where id = $1',
    [id],
  )
  const dir = rows[0]?.dir ?? ''
  const [pid = ''] = readFileSync(join(dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  const owner = new pg.Client({ connectionString: uri })
  await owner.connect()
  const before = treeCpuMs(Number(pid))
  let most = 0
  for (let second = 0; second < sampledSeconds; second += 1) {
    // oxlint-disable-next-line no-await-in-loop -- once a second
    const found = await owner.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    most = Math.max(most, found.rows[0]?.count ?? 0)
    // oxlint-disable-next-line no-await-in-loop -- once a second
    await new Promise((done) => setTimeout(done, 1_000))
  }
  await owner.end()
  const share = (treeCpuMs(Number(pid)) - before) / (sampledSeconds * 1_000)
  report({
    name: 'sampling, of a processor core of the database',
    value: share * 100,
    unit: '%',
    goal: 1,
    detail: `${sampledSeconds} s, with its own background processes and this benchmark's question each second`,
  })
  report({ name: 'sampling, connections at a time', value: most, unit: '', goal: 2 })
}

async function fillDatabases(database: Database, organizationId: number, like: string): Promise<string[]> {
  const ids = Array.from({ length: many }, () => randomUUID())
  await database.ownerPool.query(
    `insert into databases (id, organization_id, name, provider, status, engine, version, database_name, username, tls,
       figures, check_at)
     select ids.id::uuid, $2, 'service-' || ids.n, 'external', 'available', 'postgres', d.version, 'app', 'app', 'disable',
       d.figures - 'diskQuota', now() + interval '1 day'
     from unnest($1::text[]) with ordinality as ids (id, n), databases d where d.id = $3`,
    [ids, organizationId, like],
  )
  return ids
}

/** 30 days of hours of each, and a sample of now. */
async function fillHistory(
  database: Database,
  organizationId: number,
  ids: readonly string[],
): Promise<void> {
  const log = createLog({ level: 'error' })
  const clock = fakeClock(new Date(Math.floor(Date.now() / hourMs) * hourMs))
  const metrics = await openMetrics({ database, clock, log })
  const names = Object.values(databaseMetrics)
  for (const id of ids) {
    const samples = names.flatMap((metric, index): Sample[] =>
      metric === databaseMetrics.load
        ? waitClasses.map((wait) => ({ metric, labels: { wait }, value: 1 }))
        : [{ metric, value: index * 10 + 1 }],
    )
    // oxlint-disable-next-line no-await-in-loop -- each takes a block
    await metrics.write(organizationId, { type: 'database', id }, clock.now(), samples)
  }
  await metrics.stop()
  await database.asSystem('fill a benchmark', async (db) => {
    for (let days = 32; days >= 0; days -= 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await makePartitions(db, new Date(clock.now().getTime() - days * 24 * hourMs))
    }
  })
  await database.ownerPool.query(
    `insert into metric_hours (organization_id, block, at, averages, maxima)
     select $1, b.block, $2::timestamptz - make_interval(hours => h), v.values, v.values
     from (select distinct block from metric_series where organization_id = $1) b, generate_series(1, 720) h,
       (select array(select (random() * 1000)::real from generate_series(1, 128)) as values) v
     on conflict do nothing`,
    [organizationId, clock.now()],
  )
}

/** From the choice of 30 days to the last change of a chart, milliseconds. */
async function thirtyDays(page: Page, url: string): Promise<number> {
  await page.goto(url)
  const choice = page.getByText('30 d', { exact: true }).first()
  await choice.waitFor()
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => {
    const noted = { begunMs: 0, lastMs: 0 }
    Object.assign(globalThis, { noted })
    document.addEventListener('click', () => (noted.begunMs = performance.now()), {
      capture: true,
      once: true,
    })
    new MutationObserver((changes) => {
      const isOfChart = changes.some(({ target }) =>
        (target instanceof Element ? target : target.parentElement)?.closest('svg, canvas, figure'),
      )
      if (isOfChart) requestAnimationFrame(() => (noted.lastMs = performance.now()))
    }).observe(document, { childList: true, subtree: true, attributes: true, characterData: true })
  })
  await choice.click()
  await page.waitForURL(/period=30d/)
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(300)
  return page.evaluate(() => {
    const { noted } = globalThis as unknown as { noted: { begunMs: number; lastMs: number } }
    return noted.lastMs - noted.begunMs
  })
}

/** How much the page grows while it shows what comes of 10 GB. */
async function measureAnswer(page: Page, url: string): Promise<void> {
  await page.goto(url)
  const editor = page.getByRole('textbox', { name: 'SQL statement' })
  await editor.waitFor()
  await page.waitForLoadState('networkidle')
  const session = await page.context().newCDPSession(page)
  const used = async () => (await session.send('Runtime.getHeapUsage')).usedSize / 1024 ** 2
  await session.send('HeapProfiler.collectGarbage')
  const before = await used()
  await editor.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(tenGigabytes)
  let peak = before
  const watch = setInterval(() => {
    used().then(
      (now) => (peak = Math.max(peak, now)),
      () => undefined,
    )
  }, 50)
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByRole('table', { name: 'Result' }).waitFor({ timeout: 60_000 })
  await page.waitForLoadState('networkidle')
  clearInterval(watch)
  report({ name: 'memory of a query of 10 GB in the browser', value: peak - before, unit: 'MB', goal: 64 })
}
