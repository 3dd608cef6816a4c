import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'

const { ask, given } = await testApp()

test('a change with the ETag that was read is refused after the change of another, and says who it was', async () => {
  const { token, organizationId, name } = await given.user({ role: 'OWNER' })
  const as = { token, organizationId }
  const made = await ask('POST', '/api/boards', { ...as, body: { name: 'Latency' } })
  const path = `/api/boards/${made.body.id}`
  const etag = (await ask('GET', path, as)).headers.get('etag') ?? ''
  expect(etag).toBe(`"${made.body.version}"`)
  const change = (ifMatch: string, body: object) =>
    ask('PATCH', path, { ...as, body, headers: { 'if-match': ifMatch } })

  const first = await change(etag, { description: 'p95' })
  expect([first.status, first.headers.get('etag')]).toEqual([200, `"${made.body.version + 1}"`])
  const stale = await change(etag, { description: 'p99' })
  expect([stale.status, stale.body.code]).toEqual([409, 'conflict'])
  expect(stale.body.detail).toContain(`${name} saved version`)
  expect((await ask('GET', path, as)).body.description).toBe('p95')

  expect((await change('*', { description: 'p50' })).status).toBe(200)
  for (const wrong of ['7', 'W/"7"', '"seven"', '"1", "2"'])
    expect([wrong, (await change(wrong, { description: 'x' })).body.errors]).toMatchObject([
      wrong,
      [{ path: 'If-Match' }],
    ])
  expect((await change('"1"', { description: 'x', version: 2 })).status).toBe(400)
})
