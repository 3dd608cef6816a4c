type Benchmark = { start: () => Promise<{ run: () => Promise<void> }>; boundSeconds: number }

const bench = (start: Benchmark['start'], boundSeconds = 60): Benchmark => ({ start, boundSeconds })

/** Every benchmark with the longest that it may take, by the name that `npm run bench` knows it by. */
export const benchmarks: Readonly<Record<string, Benchmark>> = {
  http: bench(() => import('./http.ts'), 150),
  live: bench(() => import('./live.ts'), 150),
  engine: bench(() => import('./engine.ts'), 100),
  growth: bench(() => import('./growth.ts'), 240),
  workers: bench(() => import('./workers.ts')),
  waiting: bench(() => import('./waiting.ts'), 120),
  dispatch: bench(() => import('./dispatch.ts'), 120),
  alerts: bench(() => import('./alerts.ts'), 120),
  audit: bench(() => import('./audit.ts'), 150),
  'base-backup': bench(() => import('./base-backup.ts'), 120),
  boards: bench(() => import('./boards.ts'), 120),
  cli: bench(() => import('./cli.ts'), 120),
  console: bench(() => import('./console.ts'), 240),
  kubernetes: bench(() => import('./kubernetes.ts'), 1_200),
  databases: bench(() => import('./databases.ts'), 150),
  dashboards: bench(() => import('./dashboards.ts'), 240),
  list: bench(() => import('./list.ts'), 240),
  members: bench(() => import('./members.ts')),
  masking: bench(() => import('./masking.ts')),
  metrics: bench(() => import('./metrics.ts')),
  palette: bench(() => import('./palette.ts'), 90),
  networks: bench(() => import('./networks.ts'), 180),
  reachability: bench(() => import('./reachability.ts')),
  relations: bench(() => import('./relations.ts')),
  reports: bench(() => import('./reports.ts')),
  resources: bench(() => import('./resources.ts')),
  'run-page': bench(() => import('./run-page.ts'), 180),
  server: bench(() => import('./server.ts')),
  keys: bench(() => import('./keys.ts'), 120),
  logs: bench(() => import('./logs.ts')),
  sandbox: bench(() => import('./sandbox.ts'), 90),
  secrets: bench(() => import('./secrets.ts')),
  usage: bench(() => import('./usage.ts'), 900),
  theme: bench(() => import('./theme.ts')),
  webhooks: bench(() => import('./webhooks.ts')),
  // Last: it opens every page, and its counts suffer least where it must end early.
  shift: bench(() => import('./shift.ts'), 420),
}
