import type { WorkflowDefinitionInput } from '@bey/contract'
import { workflowDefinition } from '@bey/contract/workflows/definition'
import { z } from 'zod'

import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { GivenUser } from '../../../testing/given.ts'
import { insertWorkflow } from '../definition/store.ts'
import { newVersion } from '../definition/version.ts'
import type { Json } from '../definition/definition.ts'
import { alwaysGuaranteed, guaranteedBy } from '../steps/guarantee.ts'
import type { ActionContext, FlowStepType, StepType } from '../steps/step-type.ts'

const config = z.looseObject({ asks: z.boolean().optional() })
const described = {
  group: 'Flow',
  icon: 'x',
  description: '',
  guaranteeNote: '',
  output: {},
  example: {},
} as const

/** Does what a test says of its key; each execution is noted as `run:key`. */
export function actType(
  acts: ReadonlyMap<string, (context: ActionContext, config: Json) => Promise<Json | undefined>>,
  executed: string[],
): StepType {
  return {
    ...described,
    kind: 'action',
    type: 'act',
    label: 'Act',
    config,
    guarantee: guaranteedBy(
      config,
      [{ field: 'asks', values: [true], guarantee: 'at_least_once' }],
      'at_least_once_keyed',
    ),
    test: 'pure',
    async execute(context, given) {
      const key = context.idempotencyKey.split(':')[1] ?? ''
      executed.push(`${context.run.id}:${key}`)
      const act = acts.get(`${String(given['act'] ?? context.run.input['act'])}:${key}`)
      return act === undefined ? { ...given } : act(context, given)
    },
  }
}

/** The steps that the engine carries out itself, with configs that are not checked. */
export const flowTypes: StepType[] = (['wait', 'wait_event', 'approval', 'subworkflow', 'stop'] as const).map(
  (flow): FlowStepType => ({
    ...described,
    kind: 'flow',
    type: flow,
    label: flow,
    flow,
    config,
    guarantee: alwaysGuaranteed('exactly_once'),
  }),
)

/** Makes a workflow of one's own with one version; its steps are written as in YAML, with camel-case names. */
export async function ownWorkflow(
  database: Database,
  user: GivenUser,
  written: Omit<WorkflowDefinitionInput, 'name'> & { name?: string },
): Promise<string> {
  const id = uuidv7()
  const definition = workflowDefinition.parse({ name: `own-${id}`, ...written })
  const { organizationId, id: userId } = user
  const facts = { organizationId, id, version: 1, reason: '', userId, now: new Date() }
  await database.withTenant(organizationId, (db) =>
    insertWorkflow(db, 'active', newVersion(definition, facts)),
  )
  return id
}
