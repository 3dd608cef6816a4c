import type { Reply } from './app.ts'
import type { SweepRow, World } from './sweep-calls.ts'

type SweepParts = {
  asOwner(world: World, method: string, path: string, body?: unknown): Promise<Reply>
}

/** How to call the endpoints of the audit log and of the policies. */
export function auditSweepCalls({ asOwner }: SweepParts) {
  return {
    'audit.checkpoints': { call: () => ({}), besideRows: ['publicKeys'] },
    'audit.get': {
      async call(world) {
        await asOwner(world, 'POST', '/api/audit/export')
        const { body } = await asOwner(world, 'GET', '/api/audit?action=audit.export&limit=1')
        return { params: { id: body.entries[0].id } }
      },
    },
    'policies.update': {
      call: () => ({
        body: {
          auditRetentionDays: null,
          sessionLifeHours: null,
          sessionIdleMinutes: null,
          twoFactorFrom: null,
          allowsPassword: true,
          allowedDomains: [],
          allowedNetworks: [],
        },
      }),
    },
  } satisfies Record<string, SweepRow>
}
