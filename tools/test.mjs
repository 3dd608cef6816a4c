// `npm test`: installs what is missing, a browser included, and runs everything. Ends with the sum of all runners,
// and before it names what failed, for that stands far above.
// A test that fails is tried once more, for a machine can be busy with something else; a runner alone tries none twice.
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium } from './chromium.mjs'
import { endedInPlaywright, failedInVitest } from './test-reports.mjs'
import { ensureBuilt, ensureInstalled, run } from './workspace.mjs'

ensureInstalled()
const chromium = await ensureChromium()
const { check } = await import('./check.mjs')

const reports = mkdtempSync(join(tmpdir(), 'bey-test-'))
const total = await check()
const named = total.failedChecks.map((name) => `failed: ${name}`)
ensureBuilt()
await runVitest()
await runPlaywright()

for (const line of named) console.log(line)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)

async function runVitest() {
  const report = join(reports, 'vitest.json')
  const { code } = await run(
    'vitest',
    ['run', '--retry=1', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    {
      env: { BEY_CHROMIUM: chromium },
    },
  )
  const result = readReport(report)
  add(code, result?.numPassedTests ?? 0, failedInVitest(result))
}

async function runPlaywright() {
  const report = join(reports, 'playwright.json')
  const args = ['test', '--config', 'e2e/playwright.config.ts', '--retries=1']
  const { code } = await run('playwright', args, {
    env: { BEY_CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  })
  const result = readReport(report)
  const flaky = endedInPlaywright(result, 'flaky')
  named.push(...flaky.map((name) => `needed a second try, a bug to mend: ${name}`))
  add(code, (result?.stats?.expected ?? 0) + flaky.length, endedInPlaywright(result, 'unexpected'))
}

/** A runner that failed without a failed test to show for it still counts as one failure. */
function add(code, passed, failed) {
  named.push(...failed.map((name) => `failed: ${name}`))
  total.passed += passed
  total.failed += code !== 0 ? Math.max(failed.length, 1) : failed.length
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    console.error(`No report at ${path}: ${error.message}`)
    return undefined
  }
}
