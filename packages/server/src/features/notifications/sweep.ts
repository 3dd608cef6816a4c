import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { GivenUser } from '../../testing/given.ts'
import { newName, type SweepCall, type SweepCalls, type World } from '../../testing/sweep.ts'

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

const noticeOf = () => ({
  id: uuidv7(),
  level: 'error',
  title: 'Action failed',
  at: new Date().toISOString(),
})

/** Id of a notification of this user. */
async function noted({ app }: World, { token, organizationId }: GivenUser): Promise<string> {
  const note = noticeOf()
  await app.ask('POST', '/api/notifications', { token, organizationId, body: { notifications: [note] } })
  return note.id
}

export const sweepCalls: SweepCalls = {
  'notifications.record': { call: () => ({ body: { notifications: [noticeOf()] } }) },
  'notifications.readAll': {
    async call(world, user) {
      await noted(world, user)
      return { body: { until: new Date().toISOString() } }
    },
  },
  'notifications.update': {
    call: async (world, user) => ({ params: { id: await noted(world, user) }, body: { isRead: true } }),
  },
  'notifications.dismiss': { call: async (world, user) => ({ params: { id: await noted(world, user) } }) },
  'notificationRules.create': { call: () => ({ body: { ...rule(newName()), owner: 'mine' } }) },
  'notificationRules.update': {
    call: async (world, user) => ({ ...(await ruleOf(world, user)), body: rule(newName()) }),
  },
  'notificationRules.delete': { call: ruleOf },
  'notificationChannels.create': { call: () => ({ body: channel() }) },
  'notificationChannels.delete': { call: channelOf },
  'notificationChannels.test': { call: channelOf },
}
