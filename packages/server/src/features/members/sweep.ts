import type { GivenUser } from '../../testing/given.ts'
import {
  asOwner,
  newName,
  type SweepCall,
  type SweepCalls,
  type SweepRow,
  type World,
} from '../../testing/sweep.ts'

const memberOf = ({ app, organizationId }: World) => app.given.user({ organizationId, role: 'MEMBER' })
const onMember: SweepRow['call'] = async (world) => ({ params: { id: (await memberOf(world)).id } })

async function invite(world: World, email = `${newName()}@example.com`) {
  const body = { emails: [email], role: 'VIEWER' }
  const reply = await asOwner(world, 'POST', '/api/invitations', body)
  const [result] = reply.body.results
  return { id: result.invitation.id as string, token: String(result.link).split('#')[1] ?? '' }
}
const onInvitation: SweepRow['call'] = async (world) => ({ params: { id: (await invite(world)).id } })
const withToken: SweepRow['call'] = async (world) => ({ body: { token: (await invite(world)).token } })

export const sweepCalls: SweepCalls = {
  'members.setRole': {
    call: async (world) => ({ params: { id: (await memberOf(world)).id }, body: { role: 'VIEWER' } }),
  },
  'members.belongings': { call: onMember },
  'members.remove': { call: async (world) => ({ params: { id: (await memberOf(world)).id }, body: {} }) },
  'organization.update': { call: () => ({ body: { defaultRole: 'VIEWER' } }) },
  'organization.transfer': { call: async (world) => ({ body: { userId: (await memberOf(world)).id } }) },
  'organization.delete': {
    async call({ app }) {
      const { token, organizationId } = await app.given.user({ role: 'OWNER' })
      return { as: { token, organizationId } }
    },
  },
  'invitations.create': {
    call: () => ({ body: { emails: [`${newName()}@example.com`], role: 'VIEWER' } }),
  },
  'invitations.link': { call: onInvitation },
  'invitations.resend': {
    call: async (world) => ({ params: { id: (await invite(world)).id }, body: {} }),
  },
  'invitations.revoke': { call: onInvitation },
  'invitations.preview': { call: withToken },
  'invitations.accept': { call: acceptedBy },
  'invitations.signup': {
    call: async (world) => ({
      body: { token: (await invite(world)).token, name: 'Ada', password: 'difference-1!' },
    }),
  },
  'invitations.reject': { call: withToken },
}

async function acceptedBy(world: World, { email }: GivenUser): Promise<SweepCall> {
  // The user of the sweep belongs to its organization already, so the invitation is another one's.
  const { token, organizationId } = await world.app.given.user({ role: 'OWNER' })
  const body = { emails: [email], role: 'VIEWER' }
  const reply = await world.app.ask('POST', '/api/invitations', { token, organizationId, body })
  return { body: { token: String(reply.body.results[0].link).split('#')[1] ?? '' } }
}
