// `npm test`: installs what is missing, a browser included, and runs everything. Ends with the sum of all runners.
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium } from './chromium.mjs'
import { ensureBuilt, ensureInstalled, run } from './workspace.mjs'

ensureInstalled()
const chromium = await ensureChromium()
const { check } = await import('./check.mjs')

const reports = mkdtempSync(join(tmpdir(), 'bey-test-'))
const total = await check()
ensureBuilt()
await runVitest()
await runPlaywright()

console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)

async function runVitest() {
  const report = join(reports, 'vitest.json')
  const { code } = await run(
    'vitest',
    ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    {
      env: { BEY_CHROMIUM: chromium },
    },
  )
  const counts = readReport(report)
  add(code, counts?.numPassedTests ?? 0, (counts?.numFailedTests ?? 0) + failedFiles(counts))
}

/** A file that failed before its first test has no failed test of its own. */
function failedFiles(counts) {
  return (counts?.testResults ?? []).filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length
}

async function runPlaywright() {
  const report = join(reports, 'playwright.json')
  const { code } = await run('playwright', ['test', '--config', 'e2e/playwright.config.ts'], {
    env: { BEY_CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  })
  const stats = readReport(report)?.stats
  add(code, stats?.expected ?? 0, (stats?.unexpected ?? 0) + (stats?.flaky ?? 0))
}

/** A runner that failed without a failed test to show for it still counts as one failure. */
function add(code, passed, failed) {
  total.passed += passed
  total.failed += code !== 0 ? Math.max(failed, 1) : failed
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    console.error(`No report at ${path}: ${error.message}`)
    return undefined
  }
}
