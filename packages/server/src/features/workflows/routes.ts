import { Readable } from 'node:stream'

import { answer } from '../../platform/http/answer.ts'
import type { Handlers, TenantCaller } from '../../platform/http/handlers.ts'
import { limitNow } from '../../platform/keys/key-rights.ts'
import type { Reader } from './runs/approvals/reads.ts'
import type { Workflows } from './service.ts'

export function workflowRoutes(
  workflows: Workflows,
): Handlers<
  | 'workflows.list'
  | 'workflows.get'
  | 'workflows.allRuns'
  | 'workflows.runs'
  | 'workflows.run'
  | 'workflows.runLogs'
  | 'workflows.downloadLogs'
  | 'workflows.runCounts'
  | 'workflows.step'
  | 'workflows.approvals'
  | 'workflows.approval'
  | 'workflows.statistics'
  | 'workflows.cancel'
  | 'workflows.engineStatus'
  | 'workflows.engineStatusCamel'
> {
  return {
    'workflows.list': ({ caller, query }) =>
      workflows.list(caller.organizationId, { ...query, ids: limitNow('workflow') }),
    'workflows.get': ({ caller, params }) => workflows.get(caller.organizationId, params.id),
    'workflows.allRuns': ({ caller, query }) => workflows.runs(caller.organizationId, query),
    'workflows.runs': ({ caller, params, query }) =>
      workflows.runs(caller.organizationId, { ...query, workflowId: params.id }),
    'workflows.run': ({ caller, params }) => workflows.run(caller.organizationId, params.id, params.runId),
    'workflows.runLogs': ({ caller, params, query }) =>
      workflows.logs(caller.organizationId, params.id, params.runId, query),
    'workflows.downloadLogs': async ({ caller, params, query }) => {
      const text = await workflows.downloadLogs(caller.organizationId, params.id, params.runId, query.stepKey)
      return answer(Readable.from(text), {
        headers: { 'content-disposition': `attachment; filename="run-${params.runId}.log"` },
      })
    },
    'workflows.runCounts': ({ caller, query }) => workflows.runCounts(caller.organizationId, query),
    'workflows.step': ({ caller, params }) => workflows.step(caller.organizationId, reader(caller), params),
    'workflows.approvals': ({ caller, query }) =>
      workflows.approvals(caller.organizationId, reader(caller), query),
    'workflows.approval': ({ caller, params }) =>
      workflows.approval(caller.organizationId, reader(caller), params.approvalId),
    'workflows.statistics': ({ caller, params, query }) =>
      workflows.statistics(caller.organizationId, params.id, query),
    'workflows.cancel': ({ caller, params }) => workflows.cancel(params.id, params.runId, caller),
    'workflows.engineStatus': ({ caller }) => workflows.engineStatus(caller.organizationId),
    'workflows.engineStatusCamel': ({ caller }) => workflows.engineStatus(caller.organizationId),
  }
}

function reader({ user, role }: TenantCaller): Reader {
  return { userId: user.id, role }
}
