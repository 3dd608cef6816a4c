import { expect, test } from 'vitest'
import { type ParameterKind, parameterProblem, parameterRefusal, shownParameterValue } from './parameters.ts'

const kind = (others: Partial<ParameterKind>): ParameterKind => ({
  name: 'p',
  type: 'integer',
  unit: null,
  min: '0',
  max: '100',
  values: [],
  context: 'user',
  ...others,
})
const memory = kind({ unit: 'kB', min: '64', max: '2147483647' })
const blocks = kind({ unit: '8kB', min: '16', max: '262143' })
const time = kind({ unit: 'ms', min: '-1', max: '2147483647' })

test.each([
  [kind({ type: 'bool' }), 'on', undefined],
  [kind({ type: 'bool' }), 'maybe', 'on or off'],
  [kind({ type: 'enum', values: ['minimal', 'replica'] }), 'replica', undefined],
  [kind({ type: 'enum', values: ['minimal', 'replica'] }), 'none', 'one of minimal, replica'],
  [kind({ name: 'max_wal_size', unit: 'MB', min: '2', max: '2147483647' }), '31MB', 'from 32 to'],
  [kind({ name: 'max_wal_size', unit: 'MB', min: '2', max: '2147483647' }), '32MB', undefined],
  [memory, '4MB', undefined],
  [memory, '4 MB', undefined],
  [memory, '4096', undefined],
  [memory, '1kB', 'from 64 to 2147483647 (in kB)'],
  [memory, '3s', 'units B, kB, MB, GB, TB'],
  [blocks, '1MB', undefined],
  [blocks, '64kB', 'from 16 to 262143 (in 8kB)'],
  [time, '30s', undefined],
  [time, '-1', undefined],
  [time, '-5min', 'from -1'],
  [time, '1.5', 'whole number'],
  [kind({ type: 'real' }), '1.5', undefined],
  [kind({}), '5MB', 'without a unit'],
  [kind({}), "1'; drop table x", 'is a number'],
  [kind({ name: 'max_connections', max: '262143' }), '501', 'from 0 to 500'],
  [kind({ type: 'string' }), 'UTC\n', 'control characters'],
])('%j takes %s: %s', (parameter, value, problem) => {
  if (problem === undefined) expect(parameterProblem(parameter, value)).toBeUndefined()
  else expect(parameterProblem(parameter, value)).toContain(problem)
})

test('what runs programs, names files or gives up data is not changed', () => {
  const refused = [
    'archive_command',
    'restore_command',
    'ssl_passphrase_command',
    'shared_preload_libraries',
    'local_preload_libraries',
    'dynamic_library_path',
    'data_directory',
    'hba_file',
    'log_directory',
    'fsync',
    'full_page_writes',
    'zero_damaged_pages',
    'allow_system_table_mods',
    'listen_addresses',
    'port',
    'primary_conninfo',
    'jit_provider',
    'search_path',
    'max_wal_senders',
    'max_locks_per_transaction',
    'max_worker_processes',
    'event_triggers',
    'krb_server_keyfile',
    'log_destination',
  ]
  for (const name of refused) {
    expect([name, parameterRefusal({ name, context: 'sighup' }, 'embedded')]).toEqual([
      name,
      expect.any(String),
    ])
  }
  expect(parameterRefusal({ name: 'work_mem', context: 'user' }, 'embedded')).toBeUndefined()
  expect(parameterRefusal({ name: 'work_mem', context: 'user' }, 'external')).toContain('not run by Bey')
})

test.each([
  ['4096', 'kB', '4MB'],
  ['16384', '8kB', '128MB'],
  ['300', 's', '5min'],
  ['1000', 'ms', '1s'],
  ['1500', 'ms', '1500ms'],
  ['0', 'ms', '0'],
  ['-1', 'kB', '-1'],
  ['on', null, 'on'],
])('%s of %s is shown as %s', (bare, unit, shown) => {
  expect(shownParameterValue(bare, unit)).toBe(shown)
})
