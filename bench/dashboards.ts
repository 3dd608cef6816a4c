import type { Browser } from '@playwright/test'
import type { Database } from '../packages/server/src/platform/db/database.ts'
import type { BeySession } from '../tools/api-session.ts'
import type { BeyServer } from '../tools/bey-server.ts'
import { seedOrganization } from '../tools/seed-organization.ts'
import { report } from './figure.ts'
import { visitorOf } from './page-load.ts'
import { cpuMs, postgresCpuMs } from './process-figures.ts'
import { untilQuiet } from './until-quiet.ts'
import { withBrowser } from './with-browser.ts'
import { withDatabase } from './with-database.ts'

const crowd = 20
const periodMs = 30_000
/** What the seed has begun, and what pages read in their first moments. */
const settleMs = 20_000

type Cost = { serverMs: number; databaseMs: number; transactions: number }

/** What a server at rest costs in 30 seconds, and what open, idle dashboards add to it. */
export async function run(): Promise<void> {
  await withDatabase(async (database, dataDir) => {
    await withBrowser(
      async ({ bey, browser, session }) => {
        await seedOrganization(session)
        await untilQuiet(session)
        await pause(settleMs)
        const measure = () => costOf(bey, database, dataDir)
        const atRest = await measure()
        const asked = new Map<string, number>()
        await openDashboards(browser, session, asked)
        await pause(settleMs)
        asked.clear()
        reportCosts(atRest, await measure(), asked)
      },
      { env: { DATABASE_URL: database.url } },
    )
  })
}

async function costOf(bey: BeyServer, database: Database, dataDir: string): Promise<Cost> {
  const read = async (): Promise<Cost> => {
    const { rows } = await database.ownerPool.query<{ count: string }>(
      'select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()',
    )
    return {
      serverMs: cpuMs(bey.pid),
      databaseMs: postgresCpuMs(dataDir),
      transactions: Number(rows[0]?.count),
    }
  }
  const before = await read()
  await pause(periodMs)
  const after = await read()
  return {
    serverMs: after.serverMs - before.serverMs,
    databaseMs: after.databaseMs - before.databaseMs,
    transactions: after.transactions - before.transactions,
  }
}

function reportCosts(atRest: Cost, busy: Cost, asked: ReadonlyMap<string, number>): void {
  const perSecond = (transactions: number) => transactions / (periodMs / 1000)
  report({
    name: 'transactions of a server at rest',
    value: perSecond(atRest.transactions),
    unit: '/s',
    goal: 15,
    detail: `${atRest.serverMs.toFixed(0)} ms of CPU in 30 s, PostgreSQL ${atRest.databaseMs.toFixed(0)} ms`,
    cause: 'runs that other processes left are asked for every second, and every process says that it lives',
  })
  const requests = [...asked].map(([path, count]) => `${count} × ${path}`).join(', ')
  report({
    name: `transactions that ${crowd} idle dashboards add`,
    value: perSecond(busy.transactions - atRest.transactions),
    unit: '/s',
    detail: requests,
  })
  report({
    name: `CPU with ${crowd} idle dashboards, against a server at rest`,
    value: (busy.serverMs + busy.databaseMs) / (atRest.serverMs + atRest.databaseMs),
    unit: '×',
    goal: 1.75,
    detail: `${busy.serverMs.toFixed(0)} ms in 30 s, PostgreSQL ${busy.databaseMs.toFixed(0)} ms`,
    cause: `they asked for ${requests}`,
  })
}

async function openDashboards(
  browser: Browser,
  session: BeySession,
  asked: Map<string, number>,
): Promise<void> {
  const visitor = await visitorOf(browser, session)
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addInitScript((items) => {
    for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value)
  }, visitor)
  for (let count = 0; count < crowd; count += 1) {
    const page = await context.newPage()
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/')) asked.set(pathname, (asked.get(pathname) ?? 0) + 1)
    })
    await page.goto(session.baseUrl)
    await page.getByText('Use of allocatable').first().waitFor()
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
