import { newParameterProblem } from '@bey/contract/databases/new-parameters'
import { expect, test } from 'vitest'
import { noSettings, settingsBody, settingsProblems, withParameter } from './settings-draft.ts'

const gibibyte = 1024 ** 3

test('what was not touched is not sent', () => {
  expect(settingsBody(noSettings)).toEqual({})
  expect(settingsProblems(noSettings, 0)).toEqual({})
})

test('what is set is sent by name, the quota in bytes', () => {
  const draft = {
    parameters: [{ name: 'work_mem', value: ' 8MB ' }],
    extensions: ['citext'],
    quota: '1.5',
  }
  expect(settingsProblems(draft, 10 * gibibyte)).toEqual({})
  expect(settingsBody(draft)).toEqual({
    parameters: { work_mem: '8MB' },
    extensions: ['citext'],
    diskQuotaBytes: 1.5 * gibibyte,
  })
})

test('each value is judged as by the server, at the path where the server finds it', () => {
  const draft = { parameters: [{ name: 'work_mem', value: 'a lot' }], extensions: [], quota: '20' }
  expect(settingsProblems(draft, 10 * gibibyte)).toEqual({
    'parameters.work_mem': newParameterProblem('work_mem', 'a lot'),
    diskQuotaBytes: 'The disk of the machine has 10 GiB left: a quota of up to 10 GiB fits.',
  })
  for (const quota of ['0.01', '-1', 'much'])
    expect(settingsProblems({ ...noSettings, quota }, 10 * gibibyte)).toEqual({
      diskQuotaBytes: 'A quota is from 64 MiB to 64 TiB.',
    })
})

test('a parameter is added by its own name with the value that it has anyway, once', () => {
  expect(withParameter([], ' WORK_MEM ', 'small')).toEqual({
    parameters: [{ name: 'work_mem', value: '3MB' }],
    name: 'work_mem',
  })
  const known = [{ name: 'work_mem', value: '8MB' }]
  expect(withParameter(known, 'work_mem', 'small')).toEqual({ parameters: known, name: 'work_mem' })
  expect(withParameter(known, 'log_min_duration_statement', 'small')).toMatchObject({
    parameters: [...known, { name: 'log_min_duration_statement', value: '-1' }],
  })
})

test.each([
  ['', 'Enter the name of a parameter.'],
  ['shared_buffers', 'shared_buffers: It follows from the size of the database.'],
  ['nonsense', '"nonsense" is no parameter of PostgreSQL that is set here.'],
])('"%s" is not added: %s', (typed, problem) => {
  expect(withParameter([], typed, 'small')).toEqual({ problem })
})
