import { expect, test } from 'vitest'
import { homeOf, importLaw, partLaw } from './import-law.ts'
import { reachesAllTenants, takesAdvisoryLock, takesOfProcess } from './source-rules.ts'
import { resolveImport, sourceFiles } from './source-files.ts'
import type { Law } from './import-law.ts'
import type { SourceFile } from './source-files.ts'

const files = sourceFiles()
const byPath = new Map(files.map((file) => [file.path, file]))
const isTest = (path: string) =>
  /\.(test|e2e)\.tsx?$/.test(path) || path.includes('/testing/') || path.endsWith('/sweep.ts')
const product = files.filter((file) => file.path.startsWith('packages/') && !isTest(file.path))

/** Files over 400 lines, each with the reason. */
const longFiles: Record<string, string> = {}

/** Who may work across tenants, each with the reason. */
const systemCallers: Record<string, string> = {
  'packages/server/src/platform/read-only.ts': 'reads whether the whole instance is read-only',
  'packages/server/src/features/alerts/retention.ts': 'deletes what fired long ago',
  'packages/server/src/features/analytics/services/recorder.ts':
    'lists organizations whose services are recorded',
  'packages/server/src/features/figures/process-samples.ts': 'finds the organization of the operators',
  'packages/server/src/features/resources/forget-missing.ts': 'lists organizations that tagged resources',
  'packages/server/src/features/billing/meters/rounds.ts':
    'lists what of every organization is due to be metered',
  'packages/server/src/features/billing/meters/runs.ts': 'finds runs of every organization that ended',
  'packages/server/src/features/billing/meters/webhook-attempts.ts':
    'finds attempts of the webhooks of every organization',
  'packages/server/src/features/billing/costs/make.ts': 'makes the priced lines of every organization',
  'packages/server/src/features/billing/costs/prove.ts':
    'keeps the proofs of ledgers, which no request may write',
  'packages/server/src/features/billing/costs/watch.ts':
    'finds ledgers of every organization that are due to be proved',
  'packages/server/src/platform/usage/sums.ts': 'adds up the usage ledger of every organization',
  'packages/server/src/features/billing/budgets/watch.ts':
    'claims the budgets of every organization that are due',
  'packages/server/src/features/billing/statements/watch.ts':
    'finds organizations whose month is over and not frozen',
  'packages/server/src/features/demo/service.ts': 'makes the organization of a demo with its people',
  'packages/server/src/features/demo/removal.ts': 'removes demos with all that belongs to them',
  'packages/server/src/features/demo/sleep.ts': 'finds unwatched demos',
  'packages/server/src/features/demo/rounds.ts': 'finds demos that go on',
  'packages/server/src/features/demo/visits.ts': 'lets a visitor in before an organization is known',
  'packages/server/src/features/alerts/watch.ts': 'claims the alerts of every organization that are due',
  'packages/server/src/features/reports/scheduler.ts': 'finds the reports of every organization that are due',
  'packages/server/src/platform/db/due-work.ts': 'asks whether work of any organization is due',
  'packages/server/src/features/policies/grace-ends.ts': 'finds the next end of a grace period',
  'packages/server/src/features/workflows/triggers/event-worker.ts':
    'starts runs for events of every organization',
  'packages/server/src/features/workflows/triggers/scheduler.ts': 'finds due schedules of every organization',
  'packages/server/src/features/workflows/engine/status.ts': 'lists the processes of the engine',
  'packages/server/src/platform/engine/last-sign.ts':
    'ends attempts of a dead process, whose runs belong to many',
  'packages/server/src/features/figures/queue.ts': 'the queue of the whole installation, as counts',
  'packages/server/src/features/figures/figures.ts': 'counts the connections of the pools',
  'packages/server/src/features/auth/account.ts':
    'notes a change of an account in each organization of its user',
  'packages/server/src/features/api-keys/expiry.ts': 'ends what expired keys of every organization opened',
  'packages/server/src/features/auth/service.ts': 'signs up and logs in before an organization is known',
  'packages/server/src/features/auth/impersonation.ts':
    'lets testers log in as anybody on a development server',
  'packages/server/src/features/members/invitations/answers.ts':
    'lets people join an organization that they do not belong to yet',
  'packages/server/src/features/auth/session-list.ts':
    'notes ended sessions in each organization of their user',
  'packages/server/src/features/auth/token-list.ts':
    'lists and ends what acts for a person in all their organizations',
  'packages/server/src/features/auth/security.ts': 'reads ways to sign in, which belong to no organization',
  'packages/server/src/features/auth/device-login/service.ts': 'logs people in by a code of another machine',
  'packages/server/src/features/auth/oauth/service.ts': 'signs people in by another provider',
  'packages/server/src/features/auth/passkeys/ceremony.ts': 'finds passkeys before anybody is known',
  'packages/server/src/features/auth/passkeys/service.ts': 'signs people in by a passkey',
  'packages/server/src/features/auth/password-reset/reset.ts':
    'resets passwords of people who are not logged in',
  'packages/server/src/features/auth/two-factor/second-factor.ts': 'completes sign-ins',
  'packages/server/src/features/auth/two-factor/step-up.ts':
    'confirms sessions, which belong to no organization',
  'packages/server/src/features/auth/two-factor/totp.ts':
    'keeps secrets of users, which belong to no organization',
  'packages/server/src/features/instance/operator.ts': 'changes the settings of the server',
  'packages/server/src/features/instance/settings.ts': 'reads the settings of the server',
  'packages/server/src/features/instance/doctor/service.ts': 'asks the database how it is, as its owner',
  'packages/server/src/features/instance/backups/rounds.ts': 'keeps the list of backups of the server',
  'packages/server/src/features/figures/backup-figures.ts': 'figures of backups of the server',
  'packages/server/src/platform/crypto/server-seal.ts': 'opens the data key of the server',
  'packages/server/src/features/organizations/service.ts': 'creates organizations',
  'packages/server/src/features/notifications/rules/sender.ts': 'sends notifications of every organization',
  'packages/server/src/features/organizations/purge.ts': 'deletes organizations whose time is over',
  'packages/server/src/features/secrets/purge.ts': 'destroys deleted secrets of every organization',
  'packages/server/src/features/secrets/rotation-job.ts': 'rotates secrets of every organization on schedule',
  'packages/server/src/features/secrets/sync/loop.ts': 'keeps secrets of every organization in clusters',
  'packages/server/src/features/secrets/expiry.ts': 'tells of expiring secrets of every organization',
  'packages/server/src/features/audit/verification.ts':
    'finds the audit chains of every organization that are to be verified',
  'packages/server/src/features/webhooks/audit-stream/feeder.ts':
    'streams the audit logs of every organization',
  'packages/server/src/verification.ts': 'verifies the secrets and the audit log of every organization',
  'packages/server/src/features/webhooks/delivery/sender.ts': 'sends to webhooks of every organization',
  'packages/server/src/features/webhooks/feature.ts': 'deletes old deliveries to webhooks',
  'packages/server/src/platform/audit/refusals.ts':
    'records what strangers were refused, and who named an organization that is not theirs',
  'packages/server/src/platform/audit/linker.ts': 'links the audit entries of every organization',
  'packages/server/src/platform/audit/checkpoints.ts': 'signs the audit chains of every organization',
  'packages/server/src/platform/audit/retention.ts':
    'removes audit entries that organizations no longer keep',
  'packages/server/src/platform/audit/signing-key.ts': 'keeps the key that signs audit checkpoints',
  'packages/server/src/platform/crypto/rotate-root-key.ts': 'moves the keys of every organization',
  'packages/server/src/platform/crypto/root-key.ts': 'compares the root key with the one of the database',
  'packages/server/src/platform/db/retention.ts': 'deletes what has run out',
  'packages/server/src/features/workflows/runs/retention.ts': 'deletes old runs',
  'packages/server/src/features/workflows/definition/purge-deleted.ts': 'deletes workflows for good',
  'packages/server/src/platform/db/database.ts': 'makes the two ways to the rows',
  'packages/server/src/platform/db/pools.ts': 'opens the connections of the owner',
  'packages/server/src/platform/db/write-monitor.ts': 'tries whether changes can be saved',
  'packages/server/src/platform/mail/sender.ts': 'sends the mails of every organization',
  'packages/server/src/platform/metrics/metrics.ts': 'makes and drops partitions of metrics',
  'packages/server/src/platform/metrics/roll-up.ts': 'rolls up the metrics of every organization',
  'packages/server/src/platform/peers/peers.ts': 'finds the other processes of this installation',
  'packages/server/src/features/kubernetes/watch/shared/watch-owners.ts':
    'finds which process observes clusters of every organization',
  'packages/server/src/platform/live/live.ts': 'tells every process that an access has ended',
  'packages/server/src/platform/engine/dispatcher.ts': 'takes queued runs of every organization',
  'packages/server/src/platform/engine/remote-engine.ts': 'forgets what was recorded of old runs',
  'packages/server/src/platform/engine/engine.ts': 'takes over the runs of processes that died',
  'packages/server/src/features/databases/backups/backup-retention.ts':
    'removes backups that databases of every organization need no more',
  'packages/server/src/features/databases/watch.ts': 'looks after the databases of every organization',
  'packages/server/src/features/networks/watch.ts':
    'compares the networks of every organization with their clusters',
  'packages/server/src/features/clusters/supervision.ts': 'keeps the processes of running clusters alive',
  'packages/server/src/features/kubernetes/health/observer.ts':
    'observes running clusters of every organization',
  'packages/server/src/platform/certificate/certificate-store.ts':
    'keeps the authority of the HTTPS listener',
}

/** Who takes what of the process, each with the reason. */
const processTakers: Record<string, string> = {
  'packages/server/src/features/figures/process-samples.ts: cpuUsage': 'measured as figures of this process',
  'packages/server/src/features/figures/process-samples.ts: memoryUsage':
    'measured as figures of this process',
  'packages/server/src/features/status/routes.ts: arch': 'shown as part of the server’s status',
  'packages/server/src/features/status/routes.ts: platform': 'shown as part of the server’s status',
  'packages/server/src/features/status/routes.ts: version': 'shown as part of the server’s status',
  'packages/server/src/operations.ts: pid': 'names this process to the others that share a database',
  'packages/server/src/platform/db/embedded/postmaster.ts: kill':
    'ends the PostgreSQL that this process started',
  'packages/server/src/platform/db/embedded/orphans.ts: kill':
    'ends processes of a PostgreSQL that outlived the server',
  'packages/server/src/providers/databases/embedded.ts: kill':
    'a fault that a person asked for kills the server of a database',
  'packages/server/src/providers/databases/server-tls.ts: kill': 'a server reads its new certificate',
  'packages/server/src/platform/liveness.ts: kill': 'asks whether a process lives, by signal 0',
  'packages/server/src/platform/log.ts: stdout': 'where the log goes',
  'packages/server/src/platform/process.ts: pid': 'names the holder of the data directory',
  'packages/server/src/providers/sandbox/budget.ts: constrainedMemory': 'how much memory a container has',
  'packages/server/src/platform/paper/chromium-pdf.ts: getuid': 'whether Chromium may have its own sandbox',
  'packages/server/src/platform/paper/chromium-pdf.ts: kill': 'ends a browser that prints for too long',
  'packages/server/src/providers/databases/dumps.ts: env': 'where pg_dump is looked for',
  'packages/server/src/providers/sandbox/child-user.ts: execPath': 'the Node that runs sandboxes',
  'packages/server/src/providers/sandbox/child-user.ts: getuid': 'whether sandboxes need another user',
  'packages/server/src/providers/sandbox/child.ts: execPath': 'the Node that runs sandboxes',
  'packages/server/src/providers/sandbox/processes.ts: dir': 'a sandbox’s process, by the same name',
  'packages/server/src/providers/sandbox/processes.ts: pid': 'a sandbox’s process, by the same name',
  'packages/server/src/providers/sandbox/child.ts: kill': 'ends sandboxes that this server started',
}

/** Who may compute with the time of day, each with the reason; whatever measures a duration asks `monotonicMs`. */
const wallClockReaders: Record<string, string> = {
  'packages/server/src/features/workflows/engine/step-task.ts': 'a held step looks again a second later',
  'packages/server/src/features/billing/costs/watch.ts': 'proves again what was proved a day ago',
  'packages/server/src/features/billing/ledger/handlers.ts': 'the month that it is now',
  'packages/server/src/features/billing/meters/rounds.ts': 'meters quarters of an hour that are over',
  'packages/server/src/features/billing/savings/apply.ts': 'a saving holds since an instant of the forecast',
  'packages/server/src/features/billing/statements/service.ts': 'the month that it is now',
  'packages/server/src/features/billing/prices/preview.ts': 'forecasts the month that it is now',
  'packages/server/src/features/billing/prices/service.ts': 'prices hold from a time of day',
  'packages/server/src/features/alerts/replay.ts': 'replays what was measured at times of the day',
  'packages/server/src/features/alerts/suggestions.ts': 'replays what was measured at times of the day',
  'packages/server/src/features/databases/comparison/compare-databases.ts': 'ends ranges at the time of day',
  'packages/server/src/features/databases/cnpg/drill-workflow.ts':
    'how long a restore took that goes on in another process, and what the archive lacks by now',
  'packages/server/src/features/alerts/replay-counts.ts': 'replays what was counted at times of the day',
  'packages/server/src/features/alerts/require-expression.ts':
    'tries an expression at the time that it is now',
  'packages/server/src/features/databases/faults/fill-quota.ts': 'says until when a quota stays full',
  'packages/server/src/features/databases/quota/quota-handlers.ts': 'says until when writes are allowed',
  'packages/server/src/features/databases/faults/fault-handlers.ts':
    'a fault ends at a time of day, which its dialog shows',
  'packages/server/src/features/mcp/tools/access.ts': 'asks for measurements of the last minutes',
  'packages/server/src/features/databases/insight/sampler.ts': 'sums samples by round times of the day',
  'packages/server/src/features/kubernetes/objects/object-service.ts':
    'compares with times that the cluster says of a pod',
  'packages/server/src/platform/inventory.ts': 'what was used 90 days ago was used at an instant',
  'packages/server/src/features/ingress/overview.ts': 'certificates end at an instant',
  'packages/server/src/features/ingress/resources.ts': 'certificates end at an instant',
  'packages/server/src/features/ingress/host-test/handshake.ts': 'certificates end at an instant',
  'packages/server/src/features/ingress/health.ts': 'what was kept long ago says nothing of now',
  'packages/server/src/features/secrets/credentials.ts': 'says when a deleted password is gone',
  'packages/server/src/features/workflows/steps/types/certificate-check.ts':
    'says how many days a certificate is good for',
  'packages/server/src/features/workflows/engine/concurrency.ts': 'says when a step looks for room again',
  'packages/server/src/features/workflows/engine/program.ts': 'a deadline of a run is an instant',
  'packages/server/src/features/workflows/engine/waits.ts': 'waits end at an instant',
  'packages/server/src/features/workflows/engine/flow/wait-event.ts': 'says when a wait ends',
  'packages/server/src/features/workflows/triggers/service.ts': 'says when an old secret of a webhook ends',
  'packages/server/src/features/workflows/workflow-statistics.ts': 'counts runs by day',
  'packages/server/src/features/kubernetes/exec/ticket-service.ts':
    'says when a ticket ends, which the database compares with its own clock',
  'packages/server/src/features/kubernetes/logs/log-stream.ts':
    'tells a cluster since when its logs are wanted',
  'packages/server/src/platform/crypto/uuid.ts': 'ids hold the time at which they were made',
  'packages/server/src/platform/db/embedded/binaries.ts': 'names a folder that nobody else has named',
  'packages/server/src/platform/http/known-devices.ts': 'cookies hold the time at which they expire',
  'packages/server/src/platform/live/socket-session.ts': 'tells browsers what time it is',
  'packages/server/src/features/kubernetes/proxy/proxy.ts': 'compares with the expiry of a token',
  'packages/server/src/features/kubernetes/diagnosis/diagnosis-service.ts':
    'compares with times that a cluster says',
  'packages/server/src/features/kubernetes/changes/object-changes.ts':
    'compares with times that a cluster says',
  'packages/server/src/features/kubernetes/drain/drain-steps.ts':
    'its deadline outlives the process that set it',
  'packages/server/src/features/kubernetes/health/assessor.ts': 'compares with times that a cluster says',
  'packages/server/src/features/kubernetes/objects/service-health-reader.ts':
    'compares with times that a cluster says',
  'packages/server/src/features/kubernetes/health/watch-health.ts': 'compares with times that a cluster says',
  'packages/server/src/features/kubernetes/metrics/usage.ts': 'compares with the time that a cluster says',
  'packages/server/src/features/kubernetes/volumes/volume-usage.ts': 'says when a volume was measured',
  'packages/server/src/features/metrics/prometheus/routes.ts': 'queries without a time ask for now',
  'packages/server/src/features/metrics/query.ts': 'ends ranges at the time of day',
  'packages/server/src/features/boards/reading.ts': 'compares the same hour of several weeks',
  'packages/server/src/features/metrics/service.ts': 'ends ranges at the time of day',
  'packages/server/src/features/metrics/usual.ts': 'ends ranges at the time of day',
  'packages/server/src/platform/metrics/metrics.ts': 'keeps points by the time of day',
  'packages/server/src/platform/metrics/writer.ts': 'refuses what is late or to come',
  'packages/server/src/features/notifications/service.ts': 'compares with the time that a browser says',
  'packages/server/src/features/secrets/sync/outcome.ts': 'says when a copy is looked at next',
  'packages/server/src/features/secrets/service.ts': 'says when a deleted secret is gone for good',
}

test('every import obeys the import law', () => {
  const broken = product.flatMap((file) =>
    file.imports.flatMap(({ specifier, isTypeOnly }) => {
      const target = resolveImport(file.path, specifier)
      return target === undefined || mayImport(file.path, target, isTypeOnly)
        ? []
        : [`${file.path} → ${target}`]
    }),
  )
  expect(broken).toEqual([])
})

function mayImport(from: string, to: string, isTypeOnly: boolean): boolean {
  const law = importLaw.find((candidate) => candidate.place.test(from))
  if (!law) return false
  const home = homeOf(from)
  if (home && to.startsWith(home)) return mayImportPart(from, to, isTypeOnly)
  return allows(law, to, isTypeOnly)
}

function mayImportPart(from: string, to: string, isTypeOnly: boolean): boolean {
  const law = partLaw.find((candidate) => candidate.place.test(from))
  return !law || law.place.test(to) || allows(law, to, isTypeOnly)
}

function allows(law: Law, to: string, isTypeOnly: boolean): boolean {
  const allowed = isTypeOnly ? [...law.mayImport, ...(law.mayImportTypes ?? [])] : law.mayImport
  return allowed.some((place) => place.test(to))
}

test('an import of another package goes through what that package exports', () => {
  const broken = product.flatMap((file) =>
    file.imports
      .filter(
        ({ specifier }) =>
          specifier.startsWith('.') && !resolveImport(file.path, specifier)?.startsWith(packageOf(file.path)),
      )
      .map(({ specifier }) => `${file.path} → ${specifier}`),
  )
  expect(broken).toEqual([])
})

function packageOf(path: string): string {
  return path.split('/').slice(0, 2).join('/')
}

test('no import reaches a browser with zod behind it', () => {
  const entries = product.filter(
    (file) =>
      /^packages\/(client|console)\//.test(file.path) && !/^packages\/console\/(build|vite)/.test(file.path),
  )
  const withZod = [...runtimeClosure(entries)].filter((path) =>
    byPath.get(path)?.imports.some((i) => i.specifier === 'zod' && !i.isTypeOnly),
  )
  expect(withZod).toEqual([])
})

function runtimeClosure(entries: SourceFile[]): Set<string> {
  const seen = new Set(entries.map((file) => file.path))
  for (const path of seen) {
    for (const target of runtimeTargets(path)) seen.add(target)
  }
  return seen
}

function runtimeTargets(path: string): string[] {
  const file = byPath.get(path)
  return (file?.imports ?? [])
    .filter((item) => !item.isTypeOnly)
    .map((item) => resolveImport(path, item.specifier))
    .filter((target) => target !== undefined && byPath.has(target)) as string[]
}

test('no imports run in a circle', () => {
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (path: string, trail: string[]) => {
    if (trail.includes(path)) {
      circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
      return
    }
    if (done.has(path)) return
    const eager = byPath.get(path)?.imports.filter((item) => !item.isTypeOnly && !item.isLazy) ?? []
    for (const item of eager) {
      const target = resolveImport(path, item.specifier)
      if (target !== undefined) visit(target, [...trail, path])
    }
    done.add(path)
  }
  for (const file of product) visit(file.path, [])
  expect(circles).toEqual([])
})

test('file names are kebab-case', () => {
  expect(files.map((file) => file.path).filter((path) => !/^[a-z0-9./-]+$/.test(path))).toEqual([])
})

test('no file is longer than 400 lines without a reason', () => {
  const long = files.filter(
    (file) => file.lines > 400 && !/\.generated\.|\.(test|e2e)\.tsx?$/.test(file.path),
  )
  expect(
    long
      .map((file) => `${file.path}: ${file.lines}`)
      .filter((row) => !((row.split(':')[0] ?? '') in longFiles)),
  ).toEqual([])
})

test('only programs take part in the process, and others take of it what is listed', () => {
  const programs = ['main.ts', 'prepare.ts', 'operator/main.ts'].map((name) => `packages/server/src/${name}`)
  const taken = product
    .filter(({ path }) => path.startsWith('packages/server/src/') && !programs.includes(path))
    .flatMap(({ path, text }) => takesOfProcess(text).map((name) => `${path}: ${name}`))
  expect(taken.filter((row) => !(row in processTakers))).toEqual([])
  expect(Object.keys(processTakers).filter((row) => !taken.includes(row))).toEqual([])
})

test('only listed files compute with the time of day, which steps when the clock is set', () => {
  const readers = product.filter(
    (file) =>
      file.path.startsWith('packages/server/src/') &&
      /\bDate\.now\(\)|\bnow\(\)\.getTime\(\)/.test(file.text),
  )
  const paths = readers.map((file) => file.path)
  expect(paths.filter((path) => !(path in wallClockReaders))).toEqual([])
  expect(Object.keys(wallClockReaders).filter((path) => !paths.includes(path))).toEqual([])
})

test('only listed files work across tenants', () => {
  const callers = product.filter((file) => reachesAllTenants(file.text)).map((file) => file.path)
  expect(callers.filter((path) => !(path in systemCallers))).toEqual([])
  expect(Object.keys(systemCallers).filter((path) => !callers.includes(path))).toEqual([])
})

test('advisory locks are taken through their registry, where no two share a number', () => {
  const takers = product.filter((file) => takesAdvisoryLock(file.text)).map((file) => file.path)
  expect(takers).toEqual(['packages/server/src/platform/db/locks.ts'])
})

test('nothing is called utils, helpers, common or manager', () => {
  expect(
    files
      .map((file) => file.path)
      .filter((path) => /(^|[/-])(utils?|helpers?|common|manager)(\/|-|\.)/.test(path)),
  ).toEqual([])
})
