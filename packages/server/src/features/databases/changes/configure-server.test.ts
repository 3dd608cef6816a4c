import { expect, test } from 'vitest'

import type { DatabaseServers } from '../provider.ts'
import { configureServer } from './configure-server.ts'

// Only a server that cannot start shows this, and PostgreSQL takes no values together with which it would not.
test('parameters with which a server does not start are taken back, and its run says so', async () => {
  const acts: string[] = []
  const parameters = {
    keep: async () => void acts.push('keep'),
    putBack: async () => acts.push('put back') > 0,
    forget: async () => void acts.push('forget'),
  }
  const start = () => Promise.reject(new Error('The server did not start: FATAL.'))
  const embedded = { parameters, start } as unknown as DatabaseServers
  const context = {
    run: { id: 'r', input: { settings: { parameters: { max_connections: '41' } } } },
    log: () => {},
  }
  await expect(
    configureServer({ embedded }, context as never, { row: {}, server: {}, placement: {} } as never),
  ).rejects.toThrow('The server did not start: FATAL. Its parameters keep it from that')
  expect(acts).toEqual(['keep', 'put back'])
})
