import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { openDatabase } from '../packages/server/src/platform/db/database.ts'
import { createLog } from '../packages/server/src/platform/log.ts'
import { signUpByApi } from '../tools/api-session.ts'
import { removeData, startBey } from '../tools/bey-server.ts'

export const clusterCount = 10_000

export interface LargeOrganization {
  browser: Browser
  url: string
  /** A page of somebody who is logged in, on nothing yet. */
  newPage: () => Promise<Page>
}

/** Runs `measure` against the product with an organization of 10,000 clusters, and one of 10 for comparison. */
export async function withLargeOrganization(
  measure: (large: LargeOrganization, small: LargeOrganization) => Promise<void>,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bey-bench-'))
  const database = await openDatabase({ dataDir }, createLog({ level: 'error' }))
  const bey = await startBey({ env: { DATABASE_URL: database.url } })
  const browser = await chromium.launch({
    executablePath: process.env['BEY_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const organization = async (name: string, count: number): Promise<LargeOrganization> => {
    const { token, organizationId } = await signUpByApi(bey.url, {
      name: 'Ada',
      email: `${name}@example.com`,
      password: 'difference-engine-1!',
      organization: name,
    })
    await database.ownerPool.query(
      `insert into clusters (organization_id, title, status, pending_operations, provider, region, version, node_groups)
       select $1, (array['payments', 'checkout', 'ledger', 'search', 'prod-eu'])[1 + n % 5] || '-cluster-' || n,
         'PENDING', 0, 'sandbox', 'local', 'v1.33.4', '[{"name":"workers","count":3,"cpuCores":4,"memoryBytes":17179869184}]'
       from generate_series(1, $2::int) n`,
      [organizationId, count],
    )
    return {
      browser,
      url: bey.url,
      newPage: async () => {
        const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
        const page = await context.newPage()
        await page.addInitScript((value) => localStorage.setItem('bey-token', value), token)
        return page
      },
    }
  }
  try {
    await measure(await organization('large', clusterCount), await organization('small', 10))
  } finally {
    await browser.close()
    await bey.stop()
    await database.close()
    removeData(bey)
    rmSync(dataDir, { recursive: true, force: true })
  }
}
