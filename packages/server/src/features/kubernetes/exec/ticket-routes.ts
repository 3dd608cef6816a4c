import { serviceSessionSeconds } from '@bey/contract'
import type { Config } from '../../../config.ts'
import { answer } from '../../../platform/http/answer.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import type { TicketService } from './ticket-service.ts'

export function ticketRoutes(
  tickets: TicketService,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): Handlers<'kubernetes.streamTicket' | 'kubernetes.serviceSession'> {
  const secure = publicUrl?.startsWith('https:') ? '; Secure' : ''
  return {
    'kubernetes.streamTicket': async ({ caller, params, body }) => {
      const { ticket, expiresAt } = await tickets.forStream(caller, params.id, body.path)
      return { ticket, expiresAt: expiresAt.toISOString() }
    },
    'kubernetes.serviceSession': async ({ caller, params, body }) => {
      const { ticket, expiresAt } = await tickets.forService(caller, params.id, body.path)
      const path = `/api/kubernetes/clusters/${params.id}/proxy${body.path}`
      return answer(
        { path, expiresAt: expiresAt.toISOString() },
        {
          headers: {
            'set-cookie': `bey-service=${ticket}; Path=${path}; Max-Age=${serviceSessionSeconds}; HttpOnly; SameSite=Strict${secure}`,
          },
        },
      )
    },
  }
}
