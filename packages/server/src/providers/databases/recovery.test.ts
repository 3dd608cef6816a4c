import { expect, test } from 'vitest'

import { causeIn } from './recovery.ts'

const startup = '2026-11-28 13:12:50.123 UTC [71] LOG:  starting archive recovery'
const broken =
  '2026-11-28 13:12:51.456 UTC [71] PANIC:  could not locate a valid checkpoint record at 0/3000028'
const ended =
  '2026-11-28 13:12:52.789 UTC [84] FATAL:  terminating connection due to unexpected postmaster exit'

test.each([
  ['a server that was killed', [startup, ended], undefined],
  [
    'a server that was told to stop',
    [startup, ended.replace('unexpected postmaster exit', 'administrator command')],
    undefined,
  ],
  [
    'a server that was asked too early',
    [startup, '[85] FATAL:  the database system is starting up'],
    undefined,
  ],
  [
    'a server that could not go on',
    [startup, broken, ended],
    'PANIC:  could not locate a valid checkpoint record at 0/3000028',
  ],
])('the log of %s says why it ended', (_case, lines, cause) => {
  expect(causeIn(lines.join('\n'))).toBe(cause)
})
