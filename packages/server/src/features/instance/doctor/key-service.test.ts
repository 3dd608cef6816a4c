import { expect, test } from 'vitest'

import { readKeyService } from '../../../platform/crypto/key-service/read-key-service.ts'
import { testApp } from '../../../testing/app.ts'
import { transitServer } from '../../../testing/transit-server.ts'

test('operators see that the next start would not get the root key, while the server goes on', async () => {
  const vault = await transitServer()
  vault.addKey('bey')
  const token = vault.addToken('transit/encrypt/bey', 'transit/decrypt/bey')
  const env: Record<string, string> = { BEY_TRANSIT_URL: vault.url, BEY_TRANSIT_TOKEN: token.value }
  const app = await testApp({ role: 'web', keyService: readKeyService((name) => env[name]) })
  const { token: session, organizationId } = await app.given.user({ role: 'OWNER' })
  vault.revoke(token)
  const { body, text } = await app.ask('GET', '/api/instance/health', { token: session, organizationId })
  expect(text).not.toContain(token.value)
  expect(body.checks.find(({ id }: { id: string }) => id === 'root-key')).toMatchObject({
    status: 'failed',
    detail: expect.stringContaining('but a start of Bey would fail now: 127.0.0.1'),
    action: 'Do that before Bey is restarted.',
  })
  expect((await app.ask('GET', '/health')).status).toBe(200)
})
