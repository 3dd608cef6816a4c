import type { BrowserContext, CDPSession, Page } from '@playwright/test'

/** How far a page moved while its data came, and what moved farthest. */
export interface PageShift {
  /** Cumulative layout shift without recent input (https://web.dev/articles/cls, all sessions added up). */
  shift: number
  /** The element that moved farthest in the largest shift, and from where to where. */
  moved: string
}

export interface ShiftPage {
  /** Loads an address without a cache, or with what the load before left in it. */
  load: (url: string, conditions: { width: number; height: number; isWarm: boolean }) => Promise<PageShift>
}

type Shifts = { shifts: { value: number; moved: string }[] }

/**
 * A page that is loaded again and again. Everything that a page keeps is set back before each load to the local storage
 * of the visitor.
 */
export async function openShiftPage(
  context: BrowserContext,
  visitor: Readonly<Record<string, string>>,
): Promise<ShiftPage> {
  const page = await context.newPage()
  await observe(page, visitor)
  const client = await context.newCDPSession(page)
  await client.send('Network.enable')
  return { load: (url, conditions) => load(page, client, url, conditions) }
}

async function load(
  page: Page,
  client: CDPSession,
  url: string,
  { isWarm, ...screen }: Parameters<ShiftPage['load']>[1],
): Promise<PageShift> {
  // An address that differs in its fragment alone would not be loaded again.
  await page.goto('about:blank')
  await page.setViewportSize(screen)
  await client.send('Network.setCacheDisabled', { cacheDisabled: !isWarm })
  await page.goto(url, { waitUntil: 'networkidle' })
  const shifts = await page.evaluate(() => (globalThis as unknown as Shifts).shifts)
  const largest = shifts.toSorted((one, other) => other.value - one.value)[0]
  return { shift: shifts.reduce((sum, { value }) => sum + value, 0), moved: largest?.moved ?? '' }
}

/** Installs the browser's own observer before the page runs. */
async function observe(page: Page, visitor: Readonly<Record<string, string>>): Promise<void> {
  await page.addInitScript((items) => {
    if (location.protocol === 'about:') return
    localStorage.clear()
    sessionStorage.clear()
    for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value)
    const shifts: Shifts['shifts'] = []
    Object.assign(globalThis, { shifts })
    type Rect = { x: number; y: number; width: number; height: number }
    type Source = { node: Node | null; previousRect: Rect; currentRect: Rect }
    type Entry = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: Source[] }
    const area = ({ previousRect, currentRect }: Source) =>
      previousRect.width * previousRect.height + currentRect.width * currentRect.height
    const place = ({ x, y, width, height }: Rect) => [x, y, width, height].map(Math.round).join(' ')
    const nameOf = (node: Node | null) => {
      const element = node instanceof Element ? node : node?.parentElement
      if (!element) return 'something that is gone'
      const text = element.textContent.trim().slice(0, 40)
      return `${element.tagName.toLowerCase()}${text && ` “${text}”`}`
    }
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Entry[]) {
        if (hadRecentInput) continue
        const source = sources.toSorted((one, other) => area(other) - area(one))[0]
        const moved = source
          ? `${nameOf(source.node)} from ${place(source.previousRect)} to ${place(source.currentRect)}`
          : ''
        shifts.push({ value, moved })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  }, visitor)
}
