import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'

const { ask, given } = await testApp()

test.each(['MEMBER', 'VIEWER'] as const)(
  '%s reads webhooks without secrets, values of headers and paths of addresses, and changes none',
  async (role) => {
    const owner = await given.user()
    const { organizationId } = owner
    const made = await ask('POST', '/api/webhooks', {
      token: owner.token,
      organizationId,
      body: {
        name: 'hook',
        url: 'https://hooks.example.com/services/T0/secret-in-path?token=secret-in-query',
        events: ['secret.updated'],
        headers: { 'x-token': 'secret-in-header' },
      },
    })
    expect(made.status, made.text).toBe(201)
    const path = `/api/webhooks/${made.body.webhook.id}`
    const { token } = await given.user({ organizationId, role })
    const as = { token, organizationId }
    for (const address of ['/api/webhooks', path]) {
      const reply = await ask('GET', address, as)
      expect(reply.status, reply.text).toBe(200)
      expect(reply.text).toContain('https://hooks.example.com/…')
      expect(reply.text).not.toContain('secret-in')
    }
    expect((await ask('DELETE', path, as)).status).toBe(403)
    expect((await ask('PATCH', path, { ...as, body: { name: 'mine' } })).status).toBe(403)
  },
)
