import type { Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'

/** Without comments and long names, which are more than half of what the package exports as its source. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface AxeScope {
  /** Only this rule; all that axe knows by default. */
  rule?: 'color-contrast'
  /** Only what is inside this selector; the whole page by default. */
  within?: string
  /** Without what is inside these selectors; rules for the page as a whole apply nevertheless. */
  except?: string[]
}

/** What axe finds on the page once nothing fades or moves any more, a line for each element. */
export async function axeFindings(
  page: Page,
  { rule, within, except = [] }: AxeScope = {},
): Promise<string[]> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) => playState !== 'running' || effect?.getTiming().iterations === Infinity,
      ),
  )
  // Once for each document: to read its 650 kB takes longer than most of its rules.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  const options: RunOptions = {
    // Nobody reads the names of what passed, nor the style sheets apart from the styles that apply.
    resultTypes: ['violations'],
    selectors: false,
    preload: false,
    ...(rule ? { runOnly: [rule] } : {}),
  }
  return page.evaluate(
    async ({ include, exclude, settings }) => {
      const { axe: loaded } = globalThis as unknown as { axe: typeof axe }
      const { violations } = await loaded.run({ include, exclude }, settings)
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)}: ${failureSummary}`),
      )
    },
    {
      include: [within ?? 'html'],
      // A tooltip stands where it is pointed at, outside every landmark, and is read as the description of its button.
      exclude: ['[role="tooltip"]', ...except],
      settings: options,
    },
  )
}
