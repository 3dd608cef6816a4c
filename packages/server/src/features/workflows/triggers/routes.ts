import { answer } from '../../../platform/http/answer.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import type { createHooks } from './hook.ts'
import type { Triggers } from './service.ts'

type Verb =
  | 'triggers'
  | 'createTrigger'
  | 'updateTrigger'
  | 'deleteTrigger'
  | 'rotateTriggerSecret'
  | 'triggerArrivals'
  | 'previewSchedule'
  | 'hook'

export function triggerRoutes(
  triggers: Triggers,
  hooks: ReturnType<typeof createHooks>,
): Handlers<`workflows.${Verb}`> {
  return {
    'workflows.triggers': ({ caller, params }) => triggers.list(params.id, caller.organizationId),
    'workflows.createTrigger': ({ caller, params, body }) => triggers.create(params.id, body, caller),
    'workflows.updateTrigger': ({ caller, params, body }) =>
      triggers.update(params.id, params.triggerId, body, caller),
    'workflows.deleteTrigger': ({ caller, params }) => triggers.remove(params.id, params.triggerId, caller),
    'workflows.rotateTriggerSecret': ({ caller, params }) =>
      triggers.rotate(params.id, params.triggerId, caller),
    'workflows.triggerArrivals': ({ caller, params }) =>
      triggers.arrivals(params.id, params.triggerId, caller.organizationId),
    'workflows.previewSchedule': async ({ query }) => triggers.preview(query.cron, query.timeZone),
    'workflows.hook': async ({ params, bytes, headers }) => {
      const reply = await hooks.receive({ id: params.triggerId, headers, body: bytes })
      return answer(reply, { status: reply.status === 'started' ? 202 : 200 })
    },
  }
}
