import type { Page } from '@playwright/test'
import type { BeySession } from '../tools/api-session.ts'
import { embeddedDatabaseUrl } from '../tools/seed-metrics.ts'
import { withRunRows } from '../tools/seed-runs.ts'
import { report } from './figure.ts'
import { firstUse, type Load } from './first-use.ts'
import { median } from './process-figures.ts'
import { withBrowser } from './with-browser.ts'

const stepCount = 2_000
const lineCount = 100_000
/** Steps that may run side by side. */
const lanes = 20
const visits = 3
const scrollMs = 1_500
/** Other processes of the machine can only lengthen a task: of some rounds the best counts. */
const scrollRounds = 3
const watchMs = 4_000

/** What each tab shows first, and the box that scrolls in it. */
const tabs = [
  { name: 'graph', content: '[data-graph-node]', box: undefined },
  {
    name: 'timeline',
    content: 'section[aria-label="Steps along time"] li',
    box: 'section[aria-label="Steps along time"]',
  },
  { name: 'steps', content: 'tbody tr[data-row]', box: '[data-table]' },
  { name: 'log', content: '[role="log"] time', box: '[role="log"]' },
] as const

/** The page of a run with 2,000 steps and 100,000 lines of log: until it can be used, scrolled, searched, and while it runs. */
export async function run(): Promise<void> {
  await withBrowser(async ({ bey, browser, session }) => {
    const { over, open, small } = await seed(embeddedDatabaseUrl(bey.dataDir), session.organizationId)
    const newPage = async () => {
      const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
      await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
      return page
    }
    const visit = async (tab: (typeof tabs)[number], href: string) => {
      const page = await newPage()
      const load = await firstUse(page, `${bey.url}${href}?tab=${tab.name}`, tab.content)
      await page.context().close()
      return load
    }
    // The first pages of a browser that has just started pay for its processes, whichever tab comes first.
    for (const tab of tabs) await visit(tab, small)
    for (const tab of tabs) {
      const loads: { large: Load; small: Load }[] = []
      // One after the other: a machine may be quick now and slow a minute later.
      while (loads.length < visits)
        loads.push({ large: await visit(tab, over), small: await visit(tab, small) })
      const figure = (which: 'large' | 'small', name: keyof Load) =>
        median(loads.map((load) => load[which][name]))
      report({
        name: `${tab.name}: interactive`,
        value: figure('large', 'interactiveMs'),
        unit: 'ms',
        goal: 1_000,
        detail: `${figure('small', 'interactiveMs').toFixed(0)} ms with five steps; ${figure('large', 'cpuMs').toFixed(0)} ms of CPU time against ${figure('small', 'cpuMs').toFixed(0)}; longest task ${figure('large', 'longestMs').toFixed(0)} ms`,
      })
      const page = await newPage()
      await firstUse(page, `${bey.url}${over}?tab=${tab.name}`, tab.content)
      report({
        name: `${tab.name}: elements of the page`,
        value: await elements(page),
        unit: '',
        goal: 3_000,
      })
      if (tab.box) {
        report({
          name: `${tab.name}: longest task while scrolling`,
          value: await scrolled(page, tab.box),
          unit: 'ms',
          goal: 50,
        })
      }
      if (tab.name === 'log')
        report({ name: 'log: search → lines that match', value: await searched(page), unit: 'ms', goal: 500 })
      await page.context().close()
    }
    for (const tab of tabs) {
      const page = await newPage()
      await firstUse(page, `${bey.url}${open}?tab=${tab.name}`, tab.content)
      const value = await longestTask(page, () => page.waitForTimeout(watchMs))
      report({
        name: `${tab.name}: longest task while the clock of a run ticks`,
        value,
        unit: 'ms',
        goal: 50,
      })
      await page.context().close()
    }
    await measureLive(session, newPage)
  })
}

/** Addresses of a run that is over, of one of five steps, and of one in the middle of its steps, after five that tell how long each step takes. */
async function seed(
  databaseUrl: string,
  organizationId: number,
): Promise<{ over: string; open: string; small: string }> {
  return withRunRows(databaseUrl, organizationId, async (rows) => {
    const workflowId = await rows.workflow('Copy volumes')
    const steps = (done: number) =>
      Array.from({ length: stepCount }, (_, index) => {
        const began = stepCount + lanes - index
        const isDone = index < done
        const isOpen = !isDone && index < done + lanes
        return {
          key: `copy_${index}`,
          name: `Copy volume ${index}`,
          type: ['http', 'kubernetes.job', 'script', 'wait'][Math.floor(index / lanes) % 4] ?? 'http',
          needs: index < lanes ? [] : [`copy_${index - lanes}`],
          status: isDone ? (index % 500 === 7 ? 'failed' : 'succeeded') : isOpen ? 'running' : 'pending',
          began: isDone || isOpen ? began : null,
          ended: isDone ? began - lanes / 2 : null,
        }
      })
    const base = { workflowId, began: stepCount + lanes, steps: steps(stepCount) }
    for (let earlier = 0; earlier < 5; earlier += 1)
      await rows.run({ ...base, began: base.began + 10_000, status: 'completed', ended: 10_000 })
    const over = await rows.run({ ...base, status: 'failed', ended: 1, lines: lineCount })
    const open = await rows.run({ ...base, status: 'running', steps: steps(stepCount / 2), lines: lineCount })
    const small = await rows.run({
      ...base,
      status: 'failed',
      ended: 1,
      steps: base.steps.slice(0, 5),
      lines: 100,
    })
    const href = (runId: string) => `/workflows/${workflowId}/runs/${runId}`
    return { over: href(over), open: href(open), small: href(small) }
  })
}

const elements = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length)

/** The longest task of the page, in milliseconds, while something happens; 0 where none was longer than 50. */
async function longestTask(page: Page, happens: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => (Reflect.get(globalThis, 'tasks') as unknown[]).splice(0))
  await happens()
  return page.evaluate(() =>
    Math.max(
      0,
      ...(Reflect.get(globalThis, 'tasks') as { from: number; to: number }[]).map(
        ({ from, to }) => to - from,
      ),
    ),
  )
}

/** Scrolls a box from end to end and back, a piece a frame: the longest task of the best round. */
async function scrolled(page: Page, selector: string): Promise<number> {
  const rounds: number[] = []
  while (rounds.length < scrollRounds) rounds.push(await scrollOnce(page, selector))
  return Math.min(...rounds)
}

function scrollOnce(page: Page, selector: string): Promise<number> {
  return longestTask(page, () =>
    page.evaluate(
      async ([boxSelector, durationMs]) => {
        const box = document.querySelector(boxSelector)
        if (!box) throw new Error(`There is no ${boxSelector}.`)
        const startedAt = performance.now()
        for (let spent = 0; spent < durationMs; spent = performance.now() - startedAt) {
          const share = Math.abs(1 - (2 * spent) / durationMs)
          box.scrollTop = share * (box.scrollHeight - box.clientHeight)
          await new Promise((done) => requestAnimationFrame(done))
        }
      },
      [selector, scrollMs] as const,
    ),
  )
}

async function searched(page: Page): Promise<number> {
  const startedAt = performance.now()
  await page.getByLabel('Search the log').fill('checkpoint')
  await page.getByText(/lines that match/).waitFor()
  return performance.now() - startedAt
}

/** A workflow of as many steps is started while its page is open: the longest task while they all pass, and how long it took. */
async function measureLive(session: BeySession, newPage: () => Promise<Page>): Promise<void> {
  const { workflow } = await session.client.call('workflows.create', {
    body: {
      name: 'Count',
      steps: Array.from({ length: stepCount }, (_, index) => ({
        key: `count_${index}`,
        name: `Count ${index}`,
        type: 'transform',
        needs: index < lanes ? [] : [`count_${index - lanes}`],
        config: { values: { index } },
      })),
    },
  })
  const params = { id: workflow.id }
  await session.client.call('workflows.setState', { params, body: { state: 'active' } })
  const [tab] = tabs
  const { run: started } = await session.client.call('workflows.execute', { params, body: { input: {} } })
  const page = await newPage()
  await firstUse(page, `${session.baseUrl}/workflows/${workflow.id}/runs/${started.id}`, tab.content)
  const startedAt = performance.now()
  const value = await longestTask(page, () => page.getByText(/^Completed in/).waitFor({ timeout: 120_000 }))
  report({
    name: `${tab.name}: longest task while ${stepCount} steps pass`,
    value,
    unit: 'ms',
    goal: 100,
    detail: `they took ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`,
  })
  await page.context().close()
}
