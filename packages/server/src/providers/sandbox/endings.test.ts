import { expect, test } from 'vitest'

import { describeEnding } from './endings.ts'

const trace = `Error: no space left on device
    at write (file:///sandbox/store.ts:1:2)

Node.js v24.21.0
`

test.each([
  [{ code: 3, signal: null }, '', 'Process 9 ended with exit code 3.'],
  [{ code: 1, signal: null }, trace, 'Process 9 ended with exit code 1: Error: no space left on device'],
  [
    { code: null, signal: 'SIGKILL' },
    '',
    'Process 9 was ended by the signal SIGKILL, as by the system when memory runs out.',
  ],
  [{ code: null, signal: 'SIGTERM' }, '', 'Process 9 was ended by the signal SIGTERM.'],
  [
    { code: null, signal: 'SIGABRT' },
    'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n----- Native stack trace -----\n 1: 0x93',
    'Process 9 was ended by the signal SIGABRT: it needed more memory than a sandbox may have.',
  ],
  ['unknown', 'Its directory is gone.\n', 'Process 9 ended: Its directory is gone.'],
  [
    'unknown',
    '',
    'Process 9 ended without a word. An earlier server had started it, so its exit code is not known.',
  ],
] as const)('the end %j is shown with its cause', (ending, words, sentence) => {
  expect(describeEnding(9, ending, words)).toBe(sentence)
})
