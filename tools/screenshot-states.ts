import type { BrowserContext, Page } from '@playwright/test'

/** A state that a screen can be in, and how it is brought about; each is looked at like every route is. */
export type ScreenState = {
  name: string
  /** Before the page is opened. */
  prepare?: (context: BrowserContext) => Promise<unknown>
  /** Once it stands. */
  enter?: (context: BrowserContext, page: Page) => Promise<unknown>
  /** The page goes on waiting, so that nothing is waited for. */
  isEndless?: boolean
}

const reads = /\/api\/(?!auth|settings|status|version|notifications|palette)/

/** An organization without anything and a healthy one are accounts of their own, see screenshots.ts. */
export const screenStates: readonly ScreenState[] = [
  {
    name: 'loading',
    // Answered never: the page shows what it shows while it waits.
    prepare: (context) => context.route(reads, () => undefined),
    isEndless: true,
  },
  {
    name: 'error',
    prepare: (context) =>
      context.route(reads, (route) =>
        route.fulfill({
          status: 503,
          contentType: 'application/problem+json',
          body: JSON.stringify({
            type: 'about:blank',
            title: 'Service Unavailable',
            status: 503,
            code: 'unavailable',
            detail: 'The database does not answer. Try again in a moment.',
            requestId: '01890a5d-ac96-774b-bcce-b302099a8057',
          }),
        }),
      ),
    // Reads are tried again before a page gives up.
    enter: (_context, page) => page.getByRole('alert').first().waitFor(),
  },
  {
    name: 'stale',
    enter: async (context, page) => {
      await context.setOffline(true)
      // On a phone the words are read aloud and not seen.
      await page
        .getByText(/disconnected|reconnecting|as of/)
        .first()
        .waitFor({ state: 'attached' })
    },
  },
  {
    name: 'forbidden',
    prepare: (context) =>
      context.route('**/api/auth/me', async (route) => {
        const response = await route.fetch()
        const text = (await response.text()).replaceAll('"role":"OWNER"', '"role":"VIEWER"')
        await route.fulfill({ response, body: text })
      }),
  },
]
