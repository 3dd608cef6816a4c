import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { root } from '../tools/source-files.ts'
import { report } from './figure.ts'
import { median } from './process-figures.ts'
import { withBrowser } from './with-browser.ts'

const rounds = 15

/** How long the command line takes to its first byte and to a list, and how large it is. */
export async function run(): Promise<void> {
  const file = join(root, 'packages/console/dist/cli/bey.mjs')
  const packed = gzipSync(readFileSync(file)).length
  report({ name: 'bey, packed', value: packed / 1_000_000, unit: 'MB', goal: 3 })
  const node = await times(['-e', '0'], {})
  await withBrowser(async ({ bey, session }) => {
    const env = {
      BEY_URL: bey.url,
      BEY_TOKEN: session.token,
      BEY_ORGANIZATION: String(session.organizationId),
    }
    const bare = `Node itself ${node.toFixed(0)} ms`
    const help = await times([file, '--help'], env)
    report({ name: 'bey --help', value: help, unit: 'ms', goal: 120, detail: bare })
    const list = await times([file, 'clusters', 'list'], env)
    report({ name: 'bey clusters list', value: list, unit: 'ms', goal: 250, detail: bare })
  })
}

/** The median of a few starts, each to its end, in milliseconds. */
async function times(args: readonly string[], env: Record<string, string>): Promise<number> {
  const took: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now()
    await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } })
    took.push(performance.now() - startedAt)
  }
  return median(took)
}
