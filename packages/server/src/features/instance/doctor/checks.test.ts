import type { InstanceCheck } from '@bey/contract'
import { expect, test } from 'vitest'

import type { InstanceBackupRow } from '../backups/backup-rows.ts'
import { checkInstance, isHealthy } from './checks.ts'
import type { InstanceFacts } from './facts.ts'
import { growthOf } from './growth.ts'

const gib = 1024 ** 3
const at = (text: string) => new Date(text)

const good: InstanceFacts = {
  checkedAt: at('2026-01-10T12:00:00Z'),
  database: {
    version: '18.4',
    major: 18,
    isEmbedded: true,
    sizeBytes: gib,
    usedConnections: 12,
    maxConnections: 97,
    tables: [],
  },
  clockMs: 4,
  disk: { freeBytes: 60 * gib, totalBytes: 100 * gib, path: '/data' },
  migrations: { missing: 0, unknown: 0 },
  rootKey: { fingerprint: 'aa', ofDatabase: 'aa' },
  certificateEndsAt: at('2026-03-01T00:00:00Z'),
  keyService: null,
  readOnly: null,
  queues: {
    runs: 0,
    runs_oldest: null,
    active_runs: 0,
    mails: 0,
    mails_oldest: null,
    deliveries: 0,
    deliveries_oldest: null,
  },
  processes: [{ name: 'one', role: 'all', startedAt: at('2026-01-01T00:00:00Z'), maxRuns: 32 }],
  peers: [],
  counts: { organizations: 1, people: 1 },
  statements: null,
  backups: { place: '/b', schedule: null, drillSchedule: null },
  settings: { host: '127.0.0.1', publicUrl: undefined, outbound: { kind: 'any' }, hasMail: true },
}

const backup: InstanceBackupRow = {
  id: 'id',
  backupId: 'bey-1',
  trigger: 'schedule',
  status: 'completed',
  place: '/b',
  startedAt: at('2026-01-10T02:10:00Z'),
  finishedAt: at('2026-01-10T02:11:00Z'),
  copiedBytes: 1,
  storedBytes: 1,
  rowCount: 100,
  rootKeyFingerprint: 'aa',
  error: null,
  removedAt: null,
  drillOutcome: 'proved',
  drilledAt: at('2026-01-10T04:00:00Z'),
  drillMs: 1,
  drillRows: 100,
  drillSecrets: 3,
  drillProblems: [],
}

const check = (facts: Partial<InstanceFacts>, rows = [backup], lastDueAt: Date | null = null) =>
  checkInstance({ ...good, ...facts }, { rows, lastDueAt })
const wrong = (found: readonly InstanceCheck[]) =>
  found.filter(({ status }) => status !== 'ok').map(({ id, status }) => `${id} ${status}`)

test('where nothing is wrong, every check is good and none asks for anything', () => {
  const found = check({})
  expect(wrong(found)).toEqual([])
  expect(isHealthy(found)).toBe(true)
  expect(found.every(({ action }) => action === null)).toBe(true)
})

const { database, disk, queues, settings } = good
const readOnlyState = { reason: 'Moving.', since: '2026-01-10T11:30:00.000Z' }
const cases: [string, Partial<InstanceFacts>, string][] = [
  ['no base address', { settings: { ...settings, host: '0.0.0.0' } }, 'configuration warning'],
  ['another root key', { rootKey: { fingerprint: 'aa', ofDatabase: 'bb' } }, 'root-key failed'],
  [
    'a key service that is away',
    { keyService: { problem: 'It is sealed.', plainFile: null } },
    'root-key failed',
  ],
  [
    'a root key that lies beside its wrapped self',
    { keyService: { problem: null, plainFile: '/data/secret.key' } },
    'root-key warning',
  ],
  ['an old PostgreSQL', { database: { ...database, major: 14 } }, 'database failed'],
  ['missing migrations', { migrations: { missing: 1, unknown: 0 } }, 'migrations warning'],
  ['a newer database', { migrations: { missing: 0, unknown: 1 } }, 'migrations failed'],
  ['many connections', { database: { ...database, usedConnections: 80 } }, 'connections warning'],
  ['all connections', { database: { ...database, usedConnections: 97 } }, 'connections failed'],
  ['another time', { clockMs: 3_000 }, 'clock warning'],
  ['quite another time', { clockMs: 31_000 }, 'clock failed'],
  ['a disk that fills', { disk: { ...disk, freeBytes: 9 * gib } }, 'disk warning'],
  ['a full disk', { disk: { ...disk, freeBytes: 1 } }, 'disk failed'],
  ['a certificate that ended', { certificateEndsAt: at('2026-01-01T00:00:00Z') }, 'certificate failed'],
  ['read-only mode', { readOnly: readOnlyState }, 'read-only warning'],
  [
    'read-only mode, not the runs that wait for its end',
    { readOnly: readOnlyState, queues: { ...queues, runs: 2, runs_oldest: 700 } },
    'read-only warning',
  ],
  ['no worker', { processes: [] }, 'workers failed'],
  ['runs that wait', { queues: { ...queues, runs: 2, runs_oldest: 61 } }, 'queue warning'],
  [
    'a process that another one does not reach',
    { peers: [{ address: '10.0.0.5:8090', unreachable: ['10.0.0.6:8090'] }] },
    'shared-watches warning',
  ],
  ['mails that wait', { queues: { ...queues, mails: 2, mails_oldest: 601 } }, 'mail failed'],
]

test.each(cases)('%s is found, with what to do', (_what, facts, expected) => {
  const found = check(facts)
  expect(wrong(found)).toEqual([expected])
  expect(found.find(({ status }) => status !== 'ok')?.action).toMatch(/\.$/)
  expect(isHealthy(found)).toBe(false)
})

test('read-only mode is told with its beginning and its reason', () => {
  const detail = (reason: string) =>
    check({ readOnly: { ...readOnlyState, reason } }).find(({ id }) => id === 'read-only')?.detail
  expect(detail('Moving.')).toBe(
    'Bey has been read-only since 2026-01-10 11:30 UTC: changes are refused and no step begins. The reason given: Moving.',
  )
  expect(detail('')).toMatch(/no step begins\.$/)
})

const row = (others: Partial<InstanceBackupRow>): InstanceBackupRow => ({ ...backup, ...others })
const never = { drillOutcome: null, drilledAt: null }
const backupCases: [string, InstanceBackupRow[], Date | null, string[]][] = [
  ['no backup', [], null, ['backup warning', 'drill warning']],
  ['one that failed', [row({ status: 'failed', error: 'Full.', ...never }), backup], null, ['backup failed']],
  ['one that is missing', [backup], at('2026-01-10T08:00:00Z'), ['backup failed']],
  ['one that was never restored', [row(never)], null, ['drill warning']],
  ['one that differs', [row({ drillOutcome: 'failed' })], null, ['drill failed']],
  ['a drill that could not be carried out', [row({ drillOutcome: 'unchecked' })], null, ['drill warning']],
]

test.each(backupCases)('of backups, %s is found', (_what, rows, lastDueAt, expected) => {
  expect(wrong(check({}, rows, lastDueAt))).toEqual(expected)
})

test('backups of a database that Bey does not run are not called good', () => {
  const elsewhere = check({ database: { ...database, isEmbedded: false } }, [])
  expect(wrong(elsewhere)).toEqual(['backup unknown', 'drill unknown'])
  const backedUp = check({ database: { ...database, isEmbedded: false } }, [row(never)])
  expect(wrong(backedUp)).toEqual(['drill unknown'])
  expect(wrong(check({ database: { ...database, isEmbedded: false } }, [row({})]))).toEqual([])
  // Those of a schedule are known.
  const schedules = { place: '/b', schedule: '10 2 * * *', drillSchedule: '0 4 * * 0' }
  const scheduled = check({ database: { ...database, isEmbedded: false }, backups: schedules }, [])
  expect(wrong(scheduled)).toEqual(['backup warning', 'drill warning'])
})

const days = (count: number, valueOf: (day: number) => number) =>
  Array.from({ length: count }, (_each, day) => ({
    day: new Date(Date.UTC(2026, 0, 1 + day)),
    value: valueOf(day),
  }))

test('growth is told from measured days alone', () => {
  expect(growthOf([], 10, 100)).toEqual({ growthPerMonth: null, daysLeft: null, historyDays: 0 })
  expect(
    growthOf(
      days(7, (day) => day),
      6,
      100,
    ),
  ).toMatchObject({ growthPerMonth: null, historyDays: 6 })
  const growing = growthOf(
    days(31, (day) => 10 + day),
    40,
    100,
  )
  expect(growing.growthPerMonth).toBeCloseTo(30)
  expect(growing.daysLeft).toBeCloseTo(60)
  expect(
    growthOf(
      days(31, () => 10),
      10,
      100,
    ),
  ).toEqual({ growthPerMonth: 0, daysLeft: null, historyDays: 30 })
})
