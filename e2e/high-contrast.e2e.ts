import type { Page } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import { embeddedDatabaseUrl, seedMetrics } from '../tools/seed-metrics.ts'
import { seedCluster } from '../tools/seed-organization.ts'
import { enterWith, expect, newcomer, test } from './bey.ts'

test.use({ forcedColors: 'active' })

/** The colours that a reader of forced colours has chosen (https://www.w3.org/TR/css-color-4/#css-system-colors). */
const system = [
  'Canvas',
  'CanvasText',
  'LinkText',
  'VisitedText',
  'GrayText',
  'Highlight',
  'HighlightText',
  'ButtonText',
  'ButtonBorder',
]

test('in forced colours nothing that carries a meaning is lost, and nothing has a colour of its own', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  const clusterId = await seedCluster(session, 'prod-eu-1')
  await seedMetrics(session, embeddedDatabaseUrl(bey.dataDir), [clusterId])
  await enterWith(page, session.token)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, forcedColors: 'active' })
    await test.step(`the dashboard and a cluster, ${colorScheme}`, async () => {
      for (const path of ['/', `/kubernetes/clusters/${clusterId}`]) {
        await page.goto(path)
        await expect(page.locator('main .uplot canvas').first()).toBeVisible()
        await expect(page.getByLabel('Loading...')).toHaveCount(0)
        expect(await foreignColors(page), path).toEqual([])
        expect(await hiddenGlyphs(page), path).toBe(0)
        await expect.poll(() => hasLines(page), { message: `lines of the chart of ${path}` }).toBe(true)
        expect(await hiddenMeters(page), path).toEqual([])
      }
      // The page of the cluster has them.
      expect(await page.locator('main [role="meter"]').count()).toBeGreaterThan(2)
    })
    await test.step(`where one is and what is chosen, ${colorScheme}`, async () => {
      const tabs = page.getByRole('navigation', { name: 'Parts of the cluster' }).getByRole('link')
      const lines = await tabs.evaluateAll((links) =>
        links.map((link) => ({
          isCurrent: link.getAttribute('aria-current') === 'page',
          line: getComputedStyle(link).borderBottomColor,
        })),
      )
      const ofCurrent = lines.find(({ isCurrent }) => isCurrent)?.line
      expect(lines.filter(({ line }) => line === ofCurrent)).toHaveLength(1)
      const canvas = (await palette(page))['Canvas']
      expect(ofCurrent).not.toBe(canvas)

      const entries = page.getByRole('complementary', { name: 'Sidebar' }).getByRole('link')
      const ringed = await entries.evaluateAll((links) =>
        links
          .filter((link) => getComputedStyle(link).boxShadow !== 'none')
          .map((link) => link.textContent.trim()),
      )
      expect(ringed).toEqual(['Clusters'])

      const range = page.getByRole('radio').and(page.locator(':checked')).first().locator('..')
      expect(await range.evaluate((label) => getComputedStyle(label).boxShadow)).not.toBe('none')
    })
    await test.step(`switches, ${colorScheme}`, async () => {
      await page.goto('/workspaces/settings/appearance')
      const toggle = page.getByRole('switch').first()
      await expect(toggle).toBeVisible()
      const look = () =>
        toggle.evaluate((input) => [
          getComputedStyle(input).backgroundColor,
          getComputedStyle(input, '::before').backgroundColor,
          getComputedStyle(input).borderTopColor,
        ])
      const before = await look()
      await toggle.click()
      await expect.poll(async () => (await look())[0]).not.toBe(before[0])
      for (const [ground, thumb, edge] of [before, await look()]) {
        expect(thumb).not.toBe(ground)
        expect(edge).not.toBe((await palette(page))['Canvas'])
      }
    })
  }
})

/** The system's colours as they are here. */
function palette(page: Page): Promise<Record<string, string>> {
  return page.evaluate((names) => {
    const probe = document.body.appendChild(document.createElement('i'))
    const colors = names.map((name) => {
      probe.style.color = name
      return [name, getComputedStyle(probe).color] as const
    })
    probe.remove()
    return Object.fromEntries(colors)
  }, system)
}

/** What is painted in a colour that the reader has not chosen. */
async function foreignColors(page: Page): Promise<string[]> {
  const known = Object.values(await palette(page))
  return page.evaluate((colors) => {
    const isKnown = (color: string) =>
      colors.includes(color) || color === 'none' || /(?:, 0\)|\/ 0\))$/.test(color)
    const found = new Set<string>()
    for (const element of document.querySelectorAll('#root *, body > *')) {
      if (element instanceof HTMLElement && !element.checkVisibility()) continue
      const style = getComputedStyle(element)
      const painted: [string, string][] = [['background-color', style.backgroundColor]]
      if (element.textContent.trim() !== '') painted.push(['color', style.color])
      for (const side of ['top', 'right', 'bottom', 'left'])
        if (style.getPropertyValue(`border-${side}-width`) !== '0px')
          painted.push([`border-${side}-color`, style.getPropertyValue(`border-${side}-color`)])
      if (element instanceof SVGGeometryElement) painted.push(['fill', style.fill], ['stroke', style.stroke])
      for (const [property, color] of painted)
        if (!isKnown(color))
          found.add(`${property} ${color} of ${element.tagName} ${element.getAttribute('class') ?? ''}`)
    }
    return [...found]
  }, known)
}

/** Glyphs and small drawings in the colour of what is behind them. */
function hiddenGlyphs(page: Page): Promise<number> {
  return page.locator('main svg').evaluateAll((drawings) => {
    const behind = (element: Element | null): string => {
      if (!element) return ''
      const color = getComputedStyle(element).backgroundColor
      return /(?:, 0\)|\/ 0\))$/.test(color) ? behind(element.parentElement) : color
    }
    return drawings.filter((drawing) => getComputedStyle(drawing).color === behind(drawing)).length
  })
}

/** Meters whose whole has no outline, or whose part looks like the whole. */
function hiddenMeters(page: Page): Promise<(string | null)[]> {
  return page.locator('main [role="meter"]').evaluateAll((meters) =>
    meters
      .filter((meter) => {
        const whole = getComputedStyle(meter)
        const parts = [...meter.children].filter((part) => part.getBoundingClientRect().width > 0)
        return (
          whole.outlineStyle !== 'solid' ||
          parts.some((part) => getComputedStyle(part).backgroundColor === whole.backgroundColor)
        )
      })
      .map((meter) => meter.getAttribute('aria-label')),
  )
}

/** Whether the chart's canvas holds lines in one of the reader's colours other than that of the ground. */
async function hasLines(page: Page): Promise<boolean> {
  const { Canvas: ground, ...inks } = await palette(page)
  return page
    .locator('main .uplot canvas')
    .first()
    .evaluate(
      (element, colors) => {
        if (!(element instanceof HTMLCanvasElement)) return false
        const pixels = element.getContext('2d')?.getImageData(0, 0, element.width, element.height).data ?? []
        const drawn = new Set<string>()
        for (let at = 0; at < pixels.length; at += 4)
          if (pixels[at + 3] === 255) drawn.add(`rgb(${pixels[at]}, ${pixels[at + 1]}, ${pixels[at + 2]})`)
        return colors.some((color) => drawn.has(color))
      },
      Object.values(inks).filter((color) => color !== ground),
    )
}
