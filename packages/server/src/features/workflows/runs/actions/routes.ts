import type { Handlers } from '../../../../platform/http/handlers.ts'
import type { BuiltIns } from '../../definition/built-ins.ts'
import type { WorkflowParts } from '../../parts.ts'
import { bulk } from './bulk.ts'
import { decide } from './decide.ts'
import { execute } from './execute.ts'
import { forceCancel } from './force-cancel.ts'
import { pause, resume } from './pause.ts'
import { remind } from './remind.ts'
import { retry } from './retry.ts'
import { settleStep } from './settle-step.ts'

type Verb =
  | 'execute'
  | 'startRun'
  | 'retry'
  | 'forceCancel'
  | 'pause'
  | 'resume'
  | 'settleStep'
  | 'decide'
  | 'remind'
  | 'bulk'

/** What people do with runs. */
export function runActionRoutes(parts: WorkflowParts, builtIns: BuiltIns): Handlers<`workflows.${Verb}`> {
  return {
    'workflows.execute': ({ caller, params, body }) => execute(parts, caller, params.id, body),
    'workflows.startRun': ({ caller, params, body }) => execute(parts, caller, params.id, body),
    'workflows.retry': ({ caller, params, body }) => retry(parts, caller, idsOf(params), body),
    'workflows.forceCancel': ({ caller, params }) => forceCancel(parts, caller, idsOf(params)),
    'workflows.pause': ({ caller, params }) => pause(parts, caller, idsOf(params)),
    'workflows.resume': ({ caller, params }) => resume(parts, caller, idsOf(params)),
    'workflows.settleStep': ({ caller, params, body }) =>
      settleStep(parts, caller, { ...idsOf(params), stepKey: params.stepKey, ...body }),
    'workflows.decide': ({ caller, params, body }) => decide(parts, caller, params.approvalId, body),
    'workflows.remind': ({ caller, params }) => remind(parts, caller, params.approvalId),
    'workflows.bulk': ({ caller, body }) => bulk(parts, builtIns, caller, body.action, body.filter),
  }
}

function idsOf({ id, runId }: { id: string; runId: string }) {
  return { workflowId: id, runId }
}
