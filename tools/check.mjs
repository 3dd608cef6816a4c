// `npm run check`: types, lint, format, unused code and the architecture, without a test that needs a database.
import { ensureInstalled, run } from './workspace.mjs'

// Reads every project once and reports what `tsc` would as well; a run of `tsc` for each project took twice the time.
const typesAndLint = ['types and lint', 'oxlint', ['--type-aware', '--type-check', '--quiet']]
/** Reads all files with those of a new noun, so that `npm test` reads them once. */
const newNoun = ['types and lint, new noun', 'node', ['tools/new-noun/check.ts']]
const others = [
  ['format', 'oxfmt', ['--check', '.']],
  ['unused code', 'knip', []],
]
/** `npm test` runs these with all other tests. */
const architecture = ['architecture', 'vitest', ['run', '--project', 'tools', '--reporter=dot']]

/** Runs the checks two at a time, the long one first, and answers how many passed, how many failed and which. */
export async function check({ withNewNoun }) {
  const queue = withNewNoun ? [newNoun, ...others] : [typesAndLint, ...others, architecture]
  const counts = { passed: 0, failed: 0, failedChecks: [] }
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [name, command, args] = next
      const startedAt = performance.now()
      const { code, output } = await run(command, args, { capture: true })
      counts[code === 0 ? 'passed' : 'failed'] += 1
      console.log(`${code === 0 ? '✓' : '✗'} ${name} (${Math.round(performance.now() - startedAt)} ms)`)
      if (code === 0) continue
      counts.failedChecks.push(name)
      console.log(output)
    }
  }
  await Promise.all([worker(), worker()])
  return counts
}

if (process.argv[1]?.endsWith('check.mjs')) {
  await ensureInstalled()
  const { failed } = await check({ withNewNoun: false })
  process.exit(failed === 0 ? 0 : 1)
}
