// `npm run moving-picture`: the demo's incident being solved, as docs/images/incident.webp for the README.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Locator, type Page } from '@playwright/test'
import { animatedWebp, type Frame } from './animated-webp.ts'
import { signUpByApi } from './api-session.ts'
import { removeData, startBey } from './bey-server.ts'
import { root } from './source-files.ts'

const viewport = { width: 1280, height: 800 }
const scale = 0.75
const quality = 62
const pointerId = 'moving-picture-pointer'
const target = join(root, 'docs/images/incident.webp')
/** Sandboxes start, and programs become ready again one after another. */
const patience = { timeout: 120_000 }

const bey = await startBey()
const browser = await chromium.launch({
  executablePath: process.env['BEY_CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars'],
})
try {
  const { token } = await signUpByApi(bey.url, {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    password: 'difference-engine-1!',
    organization: 'Analytical Engines',
  })
  const context = await browser.newContext({ viewport, baseURL: bey.url, colorScheme: 'light' })
  await context.addInitScript((value) => localStorage.setItem('bey-token', value), token)
  const page = await context.newPage()
  const frames = await film(page)
  const size = { width: viewport.width * scale, height: viewport.height * scale }
  const picture = animatedWebp(frames, size)
  writeFileSync(target, picture)
  console.log(`${target}: ${frames.length} frames, ${Math.round(picture.length / 1_024)} KiB`)
} finally {
  await browser.close()
  await bey.stop()
  removeData(bey)
}

async function film(page: Page): Promise<Frame[]> {
  const devtools = await page.context().newCDPSession(page)
  const frames: Frame[] = []
  const take = async (showMs: number) => {
    const { data } = await devtools.send('Page.captureScreenshot', {
      format: 'webp',
      quality,
      clip: { x: 0, y: 0, ...viewport, scale },
    })
    frames.push({ webp: Buffer.from(data, 'base64'), showMs })
  }
  /** The pointer goes to something, a frame shows it there, and it is clicked. */
  const click = async (what: Locator, showMs = 1_400) => {
    await what.waitFor(patience)
    await what.scrollIntoViewIfNeeded()
    await pointAt(page, what)
    await take(showMs)
    await page.evaluate((id) => document.getElementById(id)?.remove(), pointerId)
    await what.click()
  }
  const guide = page.getByRole('region', { name: 'Incident guide' })
  const showMe = guide.getByRole('link', { name: 'Show me' })

  await page.goto('/')
  await click(page.getByRole('button', { name: 'Open the demo' }), 2_400)
  await page.getByRole('heading', { level: 1, name: /3 workloads failing/ }).waitFor(patience)
  await page.waitForTimeout(3_000)
  await take(3_000)
  await click(page.getByRole('link', { name: /^failing search/ }))
  await page.getByText('It began with revision 3').first().waitFor(patience)
  await take(3_000)
  await click(showMe)
  await page
    .getByText(/index\.shards is missing/)
    .first()
    .waitFor(patience)
  await take(2_600)
  await click(showMe)
  await page
    .getByText(/Teo Marsh/)
    .first()
    .waitFor(patience)
  await take(2_600)
  await click(showMe)
  await click(page.getByRole('button', { name: 'Roll back to revision 2' }), 1_800)
  await click(page.getByRole('dialog').getByRole('button', { name: 'Roll back to 5.0.5' }), 1_800)
  const solved = guide.getByText(/Solved: healthy again/)
  // What happens meanwhile is shown at five times its speed.
  while (!(await solved.isVisible())) {
    await page.waitForTimeout(2_000)
    await take(400)
  }
  await take(3_500)
  return frames
}

/** Draws a pointer over what is about to be clicked: a picture of the browser has none. */
async function pointAt(page: Page, what: Locator): Promise<void> {
  const box = await what.boundingBox()
  if (!box) throw new Error('Nothing to point at.')
  const at = { x: box.x + Math.min(box.width / 2, 60), y: box.y + box.height / 2 }
  await page.mouse.move(at.x, at.y)
  await page.evaluate(
    ({ id, x, y }) => {
      const pointer = document.createElement('div')
      pointer.id = id
      pointer.innerHTML =
        '<svg width="22" height="22" viewBox="0 0 22 22"><path d="M3 2v15l4-4 3 7 3-1-3-7h6z" fill="#111" stroke="#fff" stroke-width="1.4"/></svg>'
      Object.assign(pointer.style, {
        position: 'fixed',
        left: `${x}px`,
        top: `${y}px`,
        zIndex: '2147483647',
        pointerEvents: 'none',
      })
      document.documentElement.append(pointer)
    },
    { id: pointerId, ...at },
  )
}
