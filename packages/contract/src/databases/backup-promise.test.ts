import { expect, test } from 'vitest'
import { backupPromise, promisedCluster } from './backup-promise.ts'

const policy = {
  schedule: '0 2 * * *',
  retentionDays: 14,
  targetId: 'a',
  pitr: true,
  drillSchedule: '12 3 * * *',
  recoveryTimeMinutes: 9,
}
const said = (part: object) => {
  const { lead, limits } = backupPromise({ ...policy, ...part })
  return [lead, ...limits]
}

test('a promise says what comes back, how soon, and what is missing if the machine is lost', () => {
  expect(said({})).toEqual([
    'Any second of the last 14 days comes back within 9 min.',
    'If this machine is lost, what was written in the last 75 s may be missing.',
    'Whether that time is kept is measured by its drills.',
  ])
})

test('nothing is promised that nothing keeps', () => {
  expect(said({ schedule: null })[0]).toBe('Nothing. Backups are made only on request.')
  expect(said({ targetId: null })[1]).toBe(
    'If this machine is lost, so are the backups on it: choose another place.',
  )
  expect(said({ pitr: false, retentionDays: 1, recoveryTimeMinutes: null, drillSchedule: null })).toEqual([
    'Each backup of the last day comes back.',
    'If this machine is lost, what was written since the last backup is missing.',
    'How long a restore takes is not known: nothing proves it.',
  ])
})

test.each([0, Number.NaN, 1.5, -3])('of %d days nothing is promised', (retentionDays) => {
  expect(said({ retentionDays })).toEqual(['Nothing yet. Enter how many days backups are kept.'])
})

test('on a cluster the promise counts what CloudNativePG archives, and names no figure that somebody else sets', () => {
  const lost = (parameters: Record<string, string>) =>
    backupPromise(policy, promisedCluster(parameters)).limits[0]
  expect(lost({})).toBe('If the cluster is lost, what was written in the last 300 s may be missing.')
  expect(lost({ archive_timeout: '30s' })).toBe(
    'If the cluster is lost, what was written within its archive_timeout may be missing.',
  )
})
