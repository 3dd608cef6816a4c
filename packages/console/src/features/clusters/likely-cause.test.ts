import { expect, test } from 'vitest'
import { likelyCause } from './likely-cause.ts'

test.each([
  ['Provisioning was cancelled by Ada.', 'stopped on purpose'],
  [
    'Provisioning failed at "Allocate machines": The machines have no disk: ENOSPC',
    'disk of the server is full',
  ],
  [
    'Provisioning failed at "Start control plane": The control plane did not start: exit 1',
    'control plane ended',
  ],
  ['Provisioning failed at "Verify": Only 2 of 3 nodes are ready.', 'too busy'],
  ['Provisioning failed at "Verify": Unexpected error: x is not a function', 'defect of the server'],
])('%s', (error, cause) => {
  expect(likelyCause(error)).toContain(cause)
})

test('what matches nothing is not guessed', () => {
  expect([likelyCause('It just stopped.'), likelyCause(null)]).toEqual([
    'The log below says where it stopped and why.',
    'The log below says where it stopped and why.',
  ])
})
