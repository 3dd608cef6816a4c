import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { logRequests } from './request-log.ts'

test.each([
  [200, 'debug'],
  [404, 'info'],
  [500, 'error'],
  [501, 'error'],
  // A server that was asked for the reply is away: nothing is wrong here.
  [502, 'warning'],
  [503, 'warning'],
  [504, 'warning'],
])('a reply with status %d is a line of level %s, without the query', async (status, level) => {
  const lines: string[] = []
  const app = fastify()
  logRequests(app, createLog({ level: 'debug', write: (line) => void lines.push(line) }))
  app.get('/figures', (_request, reply) => reply.code(status).send())
  await app.inject('/figures?token=canary')
  await app.close()
  expect(JSON.parse(lines.join(''))).toMatchObject({ level, status, path: '/figures' })
  expect(lines.join('')).not.toContain('canary')
})
