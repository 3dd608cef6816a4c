import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

export interface AxeScope {
  /** Only this rule; all that axe knows by default. */
  rule?: 'color-contrast'
  /** Only what is inside this selector; the whole page by default. */
  within?: string
}

/** What axe finds on the page once nothing fades or moves any more, a line for each element. */
export async function axeFindings(page: Page, { rule, within }: AxeScope = {}): Promise<string[]> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) => playState !== 'running' || effect?.getTiming().iterations === Infinity,
      ),
  )
  // Without frames there is no need for the second page that the builder opens to put their answers together.
  // A tooltip stands where it is pointed at, outside every landmark, and is read as the description of its button.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).exclude('[role="tooltip"]')
  if (rule) axe.withRules(rule)
  if (within) axe.include(within)
  const { violations } = await axe.analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)}: ${failureSummary}`),
  )
}
