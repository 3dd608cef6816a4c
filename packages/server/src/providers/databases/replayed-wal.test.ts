import { expect, test } from 'vitest'

import { replayedWal } from './replayed-wal.ts'

const line = (text: string) => `2026-11-27 12:00:00.000 UTC [42] LOG:  ${text}\n`

test('how far the last recovery came and how long it took is read from the log of its server', () => {
  const log =
    line('redo starts at 0/2000028') +
    line('redo done at 0/3000028 system usage: CPU: user: 0.01 s, system: 0.02 s, elapsed: 0.50 s') +
    line('redo starts at 0/FE000000') +
    line('restored log file "000000010000000000000003" from archive') +
    line('redo done at 1/2000000 system usage: CPU: user: 0.10 s, system: 0.05 s, elapsed: 1.25 s')
  expect(replayedWal(log)).toEqual({ lastSegment: 256 + 2, ms: 1_250 })
})

test('a log without the end of a recovery says nothing', () => {
  expect(replayedWal(line('redo starts at 0/2000028'))).toBeNull()
  expect(replayedWal(line('database system is ready to accept connections'))).toBeNull()
})
