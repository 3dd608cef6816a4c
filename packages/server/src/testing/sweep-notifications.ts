import type { GivenUser } from './given.ts'
import type { SweepCall, SweepRow, World } from './sweep-calls.ts'

const rule = (name: string) => ({
  name,
  events: ['run.failed'],
  minSeverity: 'info',
  whose: 'anyone',
  clusterIds: [],
  workflowIds: [],
  inApp: true,
  mail: false,
  channelIds: [],
  quiet: { from: '22:00', to: '07:00' },
  timeZone: 'Europe/Berlin',
  digest: 'none',
  mutedUntil: null,
  isEnabled: true,
})

/** How to call the endpoints of rules and channels. */
export function notificationSweepCalls({ newName }: { newName: () => string }) {
  /** A rule of this user. */
  async function ruleOf({ app }: World, { token, organizationId }: GivenUser): Promise<SweepCall> {
    const body = { ...rule(newName()), owner: 'mine' }
    const reply = await app.ask('POST', '/api/notification-rules', { token, organizationId, body })
    return { params: { id: reply.body.id } }
  }

  /** A channel of this user. */
  async function channelOf({ app }: World, { token, organizationId }: GivenUser): Promise<SweepCall> {
    const body = channel()
    const reply = await app.ask('POST', '/api/notification-channels', { token, organizationId, body })
    return { params: { id: reply.body.id } }
  }

  // Nothing listens there, which a test says as well.
  const channel = () => ({ owner: 'mine', name: newName(), kind: 'webhook', url: 'http://127.0.0.1:9/hook' })

  return {
    'notificationRules.create': { call: () => ({ body: { ...rule(newName()), owner: 'mine' } }) },
    'notificationRules.update': {
      call: async (world, user) => ({ ...(await ruleOf(world, user)), body: rule(newName()) }),
    },
    'notificationRules.delete': { call: ruleOf },
    'notificationChannels.create': { call: () => ({ body: channel() }) },
    'notificationChannels.delete': { call: channelOf },
    'notificationChannels.test': { call: channelOf },
  } satisfies Record<string, SweepRow>
}
