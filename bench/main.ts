// `npm run bench [name …]`: each benchmark prints its figures, as ratios against something measured in the same run.
// `-- --check`: exits with 1 where a figure misses its goal by more than a tenth, or a benchmark fails.
// `npm run figures [name …]`: runs all of them, or these, and writes docs/figures.md.
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { root } from '../tools/source-files.ts'
import { benchmarks } from './benchmarks.ts'
import { figureText, isMissedClearly } from './figure.ts'
import { figuresPage } from './figures-page.ts'
import { runBounded } from './run-bounded.ts'
import type { Outcome } from './run-bounded.ts'

/** All together; what has not begun by then is not run. */
const wholeSeconds = 30 * 60

const asked = process.argv.slice(2).filter((each) => !each.startsWith('--'))
const unknown = asked.filter((name) => !(name in benchmarks))
if (unknown.length > 0) {
  console.error(
    `There is no benchmark named ${unknown.join(', ')}. There are: ${Object.keys(benchmarks).join(', ')}.`,
  )
  process.exit(1)
}
const load = loadavg()[0] ?? 0
const startedAt = performance.now()
const outcomes = new Map<string, Outcome>()
for (const [name, { boundSeconds }] of Object.entries(benchmarks)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  const leftSeconds = wholeSeconds - (performance.now() - startedAt) / 1000
  console.log(`\n${name}`)
  const outcome: Outcome =
    leftSeconds > 0
      ? await runBounded(name, Math.min(boundSeconds, leftSeconds))
      : { figures: [], failure: 'The half-hour was over.' }
  if (outcome.failure !== undefined) console.error(`  ${name} failed: ${outcome.failure}`)
  outcomes.set(name, outcome)
}
if (process.argv.includes('--figures')) {
  writeFileSync(join(root, 'docs', 'figures.md'), figuresPage(outcomes, load))
}
const missed = [...outcomes].flatMap(([name, { figures, failure }]) => [
  ...figures.filter(isMissedClearly).map((figure) => `${name}: ${figure.name} ${figureText(figure)}`),
  ...(failure === undefined ? [] : [`${name}: ${failure}`]),
])
if (process.argv.includes('--check') && missed.length > 0) {
  console.error(`\nMissed by more than a tenth, or failed:\n${missed.join('\n')}`)
  process.exit(1)
}
