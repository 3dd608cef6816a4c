import type { Browser } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import { seedOrganization } from '../tools/seed-organization.ts'
import { report } from './figure.ts'
import { firstPaint, loadPage, visitorOf } from './page-load.ts'
import type { PageLoad } from './page-load.ts'
import { median } from './process-figures.ts'
import { untilQuiet } from './until-quiet.ts'
import { launchBrowser, person, withBrowser } from './with-browser.ts'

const rounds = 5
type Measured = { [K in keyof PageLoad]: PageLoad[K] extends number ? K : never }[keyof PageLoad]
/** Oxide's console on the slow profile of `page-load.ts`, measured once on the same machine. */
const oxideSlowMs = 1_600

const conditions = [
  { name: 'cold', isWarm: false, isSlow: false },
  { name: 'warm', isWarm: true, isSlow: false },
  { name: 'slow', isWarm: false, isSlow: true },
]

/**
 * Page loads of an organization with data and of an empty one: cold, with a warm cache, and on a slow machine.
 * `-- --url=http://127.0.0.1:4466/` measures the page of another console instead, without logging in.
 */
export async function run(): Promise<void> {
  const other = process.argv.find((each) => each.startsWith('--url='))?.slice('--url='.length)
  return other === undefined ? measureBey() : measureOther(other)
}

async function measureBey(): Promise<void> {
  await withBrowser(async ({ bey, browser, session: busy }) => {
    const { clusterId } = await seedOrganization(busy)
    const empty = await signUpByApi(bey.url, person('Grace'))
    await untilQuiet(busy)
    const bare = await medianOf(() => firstPaint(browser, `${bey.url}/health`))
    const visitor = await visitorOf(browser, busy)
    for (const path of [
      '/',
      '/kubernetes/clusters',
      `/kubernetes/clusters/${clusterId}/pods`,
      '/workflows/runs',
      '/secrets',
    ]) {
      await measurePage(browser, `${bey.url}${path}`, path.replace(String(clusterId), '{id}'), visitor, bare)
    }
    await measurePage(browser, bey.url, '/ of an empty organization', await visitorOf(browser, empty), bare)
  })
}

/** The figures that mean the same for every console. */
async function measureOther(url: string): Promise<void> {
  const browser = await launchBrowser()
  try {
    for (const condition of conditions) {
      const loads: PageLoad[] = []
      for (let i = 0; i < rounds; i += 1) loads.push(await loadPage(browser, url, {}, condition))
      const of = (figure: Measured) => median(loads.map((load) => load[figure]))
      report({ name: `${url}, ${condition.name}: content`, value: of('contentMs'), unit: 'ms' })
      report({ name: `${url}, ${condition.name}: layout shift`, value: of('shift'), unit: '' })
      report({ name: `${url}, ${condition.name}: requests`, value: of('requests'), unit: '' })
    }
  } finally {
    await browser.close()
  }
}

async function measurePage(
  browser: Browser,
  url: string,
  name: string,
  visitor: Readonly<Record<string, string>>,
  bareMs: number,
): Promise<void> {
  for (const condition of conditions) {
    const loads: PageLoad[] = []
    for (let i = 0; i < rounds; i += 1) loads.push(await loadPage(browser, url, visitor, condition))
    const of = (figure: Measured) => median(loads.map((load) => load[figure]))
    const last = loads.at(-1)
    const label = `${name}, ${condition.name}`
    report({
      name: `${label}: content`,
      value: of('contentMs'),
      unit: 'ms',
      ...(condition.isSlow ? { goal: oxideSlowMs * 0.4 } : {}),
      cause: `first paint after ${of('fcpMs').toFixed(0)} ms; the code is run and the page drawn on a quarter of a processor, ${of('blockedMs').toFixed(0)} ms of it in one piece or another`,
      detail: `${(of('contentMs') / bareMs).toFixed(1)} × the first paint of a bare page; first paint ${of('fcpMs').toFixed(0)} ms, ${of('blockedMs').toFixed(0)} ms blocked`,
    })
    report({
      name: `${label}: layout shift`,
      value: of('shift'),
      unit: '',
      goal: 0.005,
      cause: '`npm run bench shift` names what moves',
    })
    if (condition.name !== 'cold') continue
    const kinds = last?.kindsToContent ?? ''
    report({
      name: `${label}: requests`,
      value: of('requests'),
      unit: '',
      goal: 35,
      cause: `to content ${kinds}; the rest is what menus, dialogs and live updates need`,
    })
    report({
      name: `${label}: requests to content`,
      value: of('requestsToContent'),
      unit: '',
      goal: 20,
      cause: kinds,
    })
    report({
      name: `${label}: reads asked again`,
      value: of('repeatedReads'),
      unit: '',
      goal: 0,
      cause: `the last load asked again for ${last?.repeated || 'nothing'}`,
    })
    report({
      name: `${label}: scripts to content`,
      value: of('scriptKb'),
      unit: 'KB',
      goal: 150,
      cause: 'React, its router and the query cache are 102 KB of it (docs/decisions/032)',
    })
    report({
      name: `${label}: heap`,
      value: of('heapMb'),
      unit: 'MB',
      goal: 20,
      cause: 'the code that was loaded, the elements of the page and the replies that are kept',
    })
  }
}

async function medianOf(measure: () => Promise<number>): Promise<number> {
  const all: number[] = []
  for (let i = 0; i < rounds; i += 1) all.push(await measure())
  return median(all)
}
