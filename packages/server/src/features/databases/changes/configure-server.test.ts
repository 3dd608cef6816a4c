import { expect, test } from 'vitest'

import type { DatabaseServers } from '../provider.ts'
import { configureServer } from './configure-server.ts'

/** Sets up a server that starts, or not, as `starts` says for each time. */
function configured(starts: boolean[]) {
  const acts: string[] = []
  const parameters = {
    keep: async () => void acts.push('keep'),
    putBack: async () => acts.push('put back') > 0,
    forget: async () => void acts.push('forget'),
  }
  const start = async () => {
    acts.push('start')
    if (!starts.shift()) throw new Error('The server did not start: FATAL.')
  }
  const embedded = { parameters, start } as unknown as DatabaseServers
  const context = {
    run: { id: 'r', input: { settings: { parameters: { max_connections: '41' } } } },
    log: () => {},
  }
  const end = configureServer({ embedded }, context as never, { row: {}, server: {}, placement: {} } as never)
  return { acts, end }
}

// Only a server that cannot start shows this, and PostgreSQL takes no values together with which it would not.
test('parameters with which a server does not start are taken back, and its run says so', async () => {
  const { acts, end } = configured([false, true])
  await expect(end).rejects.toThrow('The server did not start: FATAL. Its parameters keep it from that')
  expect(acts).toEqual(['keep', 'start', 'put back', 'start'])
})

test('parameters are not blamed for a server that does not start without them either', async () => {
  const { end } = configured([false, false])
  await expect(end).rejects.toThrow(/^The server did not start: FATAL\.$/)
})
