import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { connect, liveServer } from './testing/live-server.ts'
import { textFrame } from './text-frame.ts'

const database = await testDatabase()
const given = createGiven(database)
const { live, url } = await liveServer(database)

test.each([
  [0, '8100'],
  [125, '817d'],
  [126, '817e007e'],
  [65_535, '817effff'],
  [65_536, '817f0000000000010000'],
])('a text of %i bytes begins with %s, as RFC 6455 says', (bytes, header) => {
  const frame = textFrame('x'.repeat(bytes))
  expect(frame.subarray(0, header.length / 2).toString('hex')).toBe(header)
  expect(frame.length).toBe(header.length / 2 + bytes)
})

test('events of every length arrive whole and in order among the answers', async () => {
  const user = await given.user()
  const socket = await connect(url, user)
  const messages = ['', 'é'.repeat(100), 'x'.repeat(65_000), 'é'.repeat(40_000), 'end']
  for (const message of messages) {
    live.local({
      organizationId: user.organizationId,
      type: 'WORKFLOW_UPDATE',
      message,
      data: { workflowId: 'w', status: 'idle', lastRunAt: null },
    })
    await socket.follow({ kind: 'workflows' })
  }
  await socket.until(() => (socket.events('WORKFLOW_UPDATE').length === messages.length ? true : undefined))
  expect(socket.events('WORKFLOW_UPDATE').map(({ message }) => message)).toEqual(messages)
  expect(socket.frames.slice(-2).map(({ type }) => type)).toEqual(['COMMAND_RESULT', 'SUBSCRIPTION_UPDATE'])
})
