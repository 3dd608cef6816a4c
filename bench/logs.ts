import { seedCluster } from '../tools/seed-organization.ts'
import { report } from './figure.ts'
import { longestTaskCpuMs } from './main-thread.ts'
import { withBrowser } from './with-browser.ts'

const seconds = 10
const maxFrameMs = 50

/** A pod that writes 5,000 lines a second, followed in a browser: lines that arrived, and the longest frame. */
export async function run(): Promise<void> {
  await withBrowser(async ({ bey, browser, session }) => {
    const clusterId = await seedCluster(session, 'prod-eu-1')
    const line = 'i=$((i+1)); echo "{\\"level\\":\\"info\\",\\"msg\\":\\"order $i\\",\\"ms\\":12}"; '
    const reply = await fetch(
      `${bey.url}/api/kubernetes/clusters/${clusterId}/proxy/api/v1/namespaces/default/pods`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${session.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'flood' },
          spec: {
            containers: [
              {
                name: 'app',
                image: 'busybox',
                // 100 lines every 20 ms.
                command: ['sh', '-c', `i=0; while true; do ${line.repeat(100)}sleep 0.02; done`],
              },
            ],
          },
        }),
      },
    )
    if (!reply.ok) throw new Error(`The pod was not made: ${await reply.text()}`)
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
    await page.goto(
      `${bey.url}/kubernetes/clusters/${clusterId}/objects/pods/default/flood?tab=logs&period=5m`,
    )
    await page.getByRole('log').waitFor({ timeout: 60_000 })
    // What was written before is read first.
    await page.waitForTimeout(4000)
    const figures = await page.evaluate(async (durationMs) => {
      const lines = () =>
        Number((document.querySelector('footer')?.textContent ?? '').replace(/,/g, '').match(/\d+/)?.[0])
      const frames: number[] = []
      const longTasks: number[] = []
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) longTasks.push(entry.duration)
      }).observe({ type: 'longtask' })
      const before = lines()
      const startedAt = performance.now()
      let last = startedAt
      while (last - startedAt < durationMs) {
        const now = await new Promise<number>((resolve) =>
          requestAnimationFrame(() => resolve(performance.now())),
        )
        frames.push(now - last)
        last = now
      }
      const perSecond = (lines() - before) / ((last - startedAt) / 1000)
      return {
        perSecond,
        longest: Math.max(...frames),
        frames: frames.length,
        longTask: Math.max(0, ...longTasks),
      }
    }, seconds * 1000)
    report({ name: 'lines arriving', value: figures.perSecond, unit: '/s', goal: 5_000, isAtLeast: true })
    report({
      name: 'longest frame',
      value: figures.longest,
      unit: 'ms',
      goal: maxFrameMs,
      detail: `of ${figures.frames} in ${seconds} s`,
    })
    report({ name: 'longest task', value: figures.longTask, unit: 'ms' })
    report({
      name: 'longest task, CPU time',
      value: await longestTaskCpuMs(browser, page, () => page.waitForTimeout(seconds * 1000)),
      unit: 'ms',
      goal: maxFrameMs,
    })
  })
}
