import type { InstanceHealth } from '@bey/contract'
import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { HealthOverview } from './health-overview.tsx'

const health: InstanceHealth = {
  checkedAt: '2026-01-15T09:30:00.000Z',
  version: '0.1.0',
  runningSince: null,
  isHealthy: false,
  checks: [
    { id: 'clock', title: 'Clock', status: 'ok', detail: 'The clocks agree.', action: null },
    { id: 'mail', title: 'Mail', status: 'warning', detail: 'Mails wait.', action: 'Send a test mail.' },
    { id: 'disk', title: 'Disk', status: 'failed', detail: 'The disk is full.', action: 'Free space.' },
  ],
  limits: [
    {
      id: 'connections',
      title: 'Database connections',
      unit: 'count',
      now: 41,
      of: 60,
      growthPerMonth: null,
      daysLeft: null,
      historyDays: 2,
      help: 'Raise max_connections.',
    },
  ],
  counts: { organizations: 1, people: 3, sockets: 2 },
  processes: [{ name: 'one', role: 'all', startedAt: '2026-01-15T09:00:00.000Z', maxRuns: 32 }],
  database: { version: '18.4', isEmbedded: true, sizeBytes: 1024 ** 3, tables: [] },
  queues: [{ id: 'mail', title: 'Mail', waiting: 2, oldestSeconds: 90 }],
  statements: null,
  backups: {
    place: '/backups',
    schedule: '10 2 * * *',
    drillSchedule: null,
    nextAt: '2026-01-16T02:10:00.000Z',
    entries: [
      {
        backupId: 'bey-1',
        trigger: 'schedule',
        status: 'completed',
        place: '/backups',
        startedAt: '2026-01-15T02:10:00.000Z',
        finishedAt: '2026-01-15T02:11:00.000Z',
        storedBytes: 3 * 1024 ** 3,
        rowCount: 100,
        rootKeyFingerprint: '7f3a',
        error: null,
        removedAt: null,
        drill: {
          outcome: 'unchecked',
          at: '2026-01-15T04:00:00.000Z',
          ms: 10,
          rows: null,
          secrets: null,
          problems: ['The disk has no room.'],
        },
      },
    ],
  },
}

afterEach(cleanup)

const section = (name: string) => within(screen.getByRole('region', { name }))

test('what needs attention stands first, the worst before the rest, each with what to do', () => {
  render(<HealthOverview health={health} />)
  const items = section('Needs attention').getAllByRole('listitem')
  expect(items.map((item) => within(item).getByRole('heading').textContent)).toEqual(['Disk', 'Mail'])
  expect(items[0]?.textContent).toContain('The disk is full.Free space.')
  expect(section('1 check found nothing wrong').getByText('The clocks agree.')).toBeTruthy()
})

test('growth that was not measured is not guessed, and an unchecked drill is no proof', () => {
  render(<HealthOverview health={health} />)
  expect(section('What breaks first').getByText('unknown, 2 of 7 days')).toBeTruthy()
  expect(section('How a request goes, and how full each part is').queryByText(/^full in/)).toBeNull()
  const backups = section('Backups of Bey itself')
  expect(backups.getByText(/^not checked/).textContent).toContain('The disk has no room.')
  expect(backups.getByText(/root key/).textContent).toContain('3 GiB')
})

test('backups of a database that others run are not claimed', () => {
  const elsewhere = { ...health, database: { ...health.database, isEmbedded: false } }
  render(<HealthOverview health={{ ...elsewhere, backups: { ...health.backups, entries: [] } }} />)
  expect(section('Backups of Bey itself').getByText(/run by others/)).toBeTruthy()
})
