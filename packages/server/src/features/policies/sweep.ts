import type { SweepCalls } from '../../testing/sweep.ts'

export const sweepCalls: SweepCalls = {
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
}
