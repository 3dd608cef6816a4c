// `npm run bench [name …]`: each benchmark prints its figures as ratios against something measured in the same run.
const benchmarks: Record<string, () => Promise<{ run: () => Promise<void> }>> = {
  http: () => import('./http.ts'),
  live: () => import('./live.ts'),
  engine: () => import('./engine.ts'),
  audit: () => import('./audit.ts'),
  console: () => import('./console.ts'),
  list: () => import('./list.ts'),
  metrics: () => import('./metrics.ts'),
  palette: () => import('./palette.ts'),
  server: () => import('./server.ts'),
  keys: () => import('./keys.ts'),
  logs: () => import('./logs.ts'),
  runs: () => import('./runs.ts'),
  sandbox: () => import('./sandbox.ts'),
  secrets: () => import('./secrets.ts'),
  theme: () => import('./theme.ts'),
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in benchmarks))
if (unknown.length > 0) {
  console.error(
    `There is no benchmark named ${unknown.join(', ')}. There are: ${Object.keys(benchmarks).join(', ')}.`,
  )
  process.exit(1)
}
for (const [name, load] of Object.entries(benchmarks)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  console.log(`\n${name}`)
  const { run } = await load()
  await run()
}
process.exit(0)
