import { expect, test, vi } from 'vitest'

import { testApp } from '../../testing/app.ts'

const operatorToken = 'an-operator-token-of-this-test'
const app = await testApp({ operatorToken })

const scrape = (headers: Record<string, string> = {}) => app.ask('GET', '/metrics', { headers })

test('figures tell of requests by route, of the queue and of the workers', async () => {
  const user = await app.given.user()
  await app.given.run({ organizationId: user.organizationId, status: 'waiting', startedAt: new Date() })
  await app.ask('GET', '/api/v1/workflows', { token: user.token, organizationId: user.organizationId })
  const { status, text } = await scrape()
  expect(status).toBe(200)
  expect(text).toMatch(/^bey_workers 1$/m)
  expect(text).toMatch(/^bey_runs_waiting 1$/m)
  expect(text).toMatch(/^bey_queue_runs 0$/m)
  expect(text).toContain(
    'bey_http_request_seconds_count{method="GET",route="/api/v1/workflows",status="2xx"} 1',
  )
})

test('a process that was killed is no worker, although nobody has taken its work over yet', async () => {
  await app.database.ownerPool.query(
    `insert into processes (executor_id, machine_id, address, heartbeat_at)
     values ('1-gone', 'elsewhere', '', now() - interval '1 minute')`,
  )
  const user = await app.given.user()
  const { body } = await app.ask('GET', '/api/workflows/debug/engine-status', {
    token: user.token,
    organizationId: user.organizationId,
  })
  expect(body.workers).toMatchObject([{ isThisOne: true, role: 'all', maxRuns: 32 }])
})

test('from elsewhere, and with a wrong token, they are refused', async () => {
  expect((await scrape({ 'x-forwarded-for': '203.0.113.7' })).status).toBe(403)
  expect((await scrape({ authorization: 'Bearer wrong' })).status).toBe(403)
  const right = { 'x-forwarded-for': '203.0.113.7', authorization: `Bearer ${operatorToken}` }
  expect((await scrape(right)).status).toBe(200)
})

test('figures tell of backups of Bey itself, and nothing of what never was', async () => {
  expect((await scrape()).text).not.toContain('bey_backup_last_success_timestamp_seconds{')
  await app.database.ownerPool.query(
    `insert into instance_backups (id, trigger, status, place, started_at, finished_at, stored_bytes)
     values (gen_random_uuid(), 'schedule', 'completed', '/b', '2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z', 1000),
            (gen_random_uuid(), 'schedule', 'failed', '/b', '2026-01-02T00:00:00Z', '2026-01-02T00:01:00Z', null)`,
  )
  await vi.waitFor(
    async () => {
      const { text } = await scrape()
      expect(text).toMatch(/^bey_backup_last_success_timestamp_seconds\{of="instance"\} 1767225660$/m)
      expect(text).toMatch(/^bey_backup_last_duration_seconds\{of="instance"\} 60$/m)
      expect(text).toMatch(/^bey_backup_last_stored_bytes\{of="instance"\} 1000$/m)
      expect(text).toMatch(/^bey_backup_failed_since_success\{of="instance"\} 1$/m)
      expect(text).not.toContain('bey_backup_last_proved_timestamp_seconds{')
    },
    { timeout: 30_000, interval: 200 },
  )
})
