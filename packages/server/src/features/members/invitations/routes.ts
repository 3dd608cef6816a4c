import { answer } from '../../../platform/http/answer.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import type { KnownDevices } from '../../../platform/http/known-devices.ts'
import type { createAnswers } from './answers.ts'
import type { createInvitations } from './service.ts'

type InvitationRouteNames =
  | 'invitations.list'
  | 'invitations.create'
  | 'invitations.link'
  | 'invitations.resend'
  | 'invitations.revoke'
  | 'invitations.preview'
  | 'invitations.accept'
  | 'invitations.signup'
  | 'invitations.reject'

export function invitationRoutes(
  invitations: ReturnType<typeof createInvitations>,
  answers: ReturnType<typeof createAnswers>,
  devices: Pick<KnownDevices, 'cookieOf'>,
): Handlers<InvitationRouteNames> {
  return {
    'invitations.list': ({ caller, query }) => invitations.list(caller, query),
    'invitations.create': ({ caller, body }) => invitations.create(caller, body),
    'invitations.link': ({ caller, params }) => invitations.link(caller, params.id),
    'invitations.resend': ({ caller, params, body }) => invitations.resend(caller, params.id, body),
    'invitations.revoke': async ({ caller, params }) => {
      await invitations.revoke(caller, params.id)
      return null
    },
    'invitations.preview': ({ body }) => answers.preview(body.token),
    'invitations.accept': ({ caller, body }) => answers.accept(body.token, caller),
    'invitations.signup': async ({ caller, body }) => {
      const session = await answers.signUp(body, caller)
      return answer(session, { headers: { 'set-cookie': devices.cookieOf(session.user.email) } })
    },
    'invitations.reject': async ({ caller, body }) => {
      await answers.reject(body.token, caller)
      return null
    },
  }
}
