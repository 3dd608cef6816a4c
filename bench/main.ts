// `npm run bench [name …]`: each benchmark prints its figures, as ratios against something measured in the same run.
// `-- --check`: exits with 1 where a figure misses its goal by more than a tenth.
// `npm run figures`: runs all of them and writes docs/figures.md.
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { root } from '../tools/source-files.ts'
import { figureText, isMissedClearly, takeReported } from './figure.ts'
import type { Figure } from './figure.ts'
import { figuresPage } from './figures-page.ts'

const benchmarks: Record<string, () => Promise<{ run: () => Promise<void> }>> = {
  http: () => import('./http.ts'),
  live: () => import('./live.ts'),
  engine: () => import('./engine.ts'),
  growth: () => import('./growth.ts'),
  workers: () => import('./workers.ts'),
  waiting: () => import('./waiting.ts'),
  dispatch: () => import('./dispatch.ts'),
  audit: () => import('./audit.ts'),
  console: () => import('./console.ts'),
  kubernetes: () => import('./kubernetes.ts'),
  list: () => import('./list.ts'),
  masking: () => import('./masking.ts'),
  metrics: () => import('./metrics.ts'),
  palette: () => import('./palette.ts'),
  'run-page': () => import('./run-page.ts'),
  server: () => import('./server.ts'),
  shift: () => import('./shift.ts'),
  keys: () => import('./keys.ts'),
  logs: () => import('./logs.ts'),
  sandbox: () => import('./sandbox.ts'),
  secrets: () => import('./secrets.ts'),
  theme: () => import('./theme.ts'),
  webhooks: () => import('./webhooks.ts'),
}

const asked = process.argv.slice(2).filter((each) => !each.startsWith('--'))
const unknown = asked.filter((name) => !(name in benchmarks))
if (unknown.length > 0) {
  console.error(
    `There is no benchmark named ${unknown.join(', ')}. There are: ${Object.keys(benchmarks).join(', ')}.`,
  )
  process.exit(1)
}
const load = loadavg()[0] ?? 0
const figures = new Map<string, Figure[]>()
for (const [name, start] of Object.entries(benchmarks)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  console.log(`\n${name}`)
  const { run } = await start()
  await run()
  figures.set(name, takeReported())
}
if (process.argv.includes('--figures')) {
  writeFileSync(join(root, 'docs', 'figures.md'), figuresPage(figures, load))
}
const missed = [...figures].flatMap(([name, all]) =>
  all.filter(isMissedClearly).map((figure) => `${name}: ${figure.name} ${figureText(figure)}`),
)
if (process.argv.includes('--check') && missed.length > 0) {
  console.error(`\nMissed by more than a tenth:\n${missed.join('\n')}`)
  process.exit(1)
}
process.exit(0)
