import { chromium } from '@playwright/test'
import type { Browser } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import type { BeySession } from '../tools/api-session.ts'
import { removeData, startBey } from '../tools/bey-server.ts'
import type { BeyServer } from '../tools/bey-server.ts'

/** A server of its own, a browser, and the session of the person who signed up there first. */
export type BrowserGround = { bey: BeyServer; browser: Browser; session: BeySession }

/** Someone who signs up, by a name that no one else has. */
export const person = (name: string) => ({
  name,
  email: `${name.toLowerCase()}@example.com`,
  password: 'difference-engine-1!',
  organization: `Organization of ${name}`,
})

/** The Chromium of the tests, closed by the caller. */
export function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['BEY_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', ...args],
  })
}

/** Starts a server and a browser for a benchmark; both are gone when it ends, and so are the data. */
export async function withBrowser(
  work: (ground: BrowserGround) => Promise<void>,
  options: { env?: Record<string, string>; browserArgs?: readonly string[] } = {},
): Promise<void> {
  const bey = await startBey({ env: options.env ?? {} })
  const browser = await launchBrowser(options.browserArgs)
  try {
    await work({ bey, browser, session: await signUpByApi(bey.url, person('Ada')) })
  } finally {
    await browser.close()
    await bey.stop()
    removeData(bey)
  }
}
