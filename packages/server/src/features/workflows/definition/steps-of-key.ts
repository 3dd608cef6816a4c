import { type Permission, workflowLimits, type WorkflowDefinitionBody } from '@bey/contract'
import { and, eq, isNull, or, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { currentKey, whyNot } from '../../../platform/keys/key-rights.ts'
import { workflowVersions } from '../../../tables/workflow-versions.ts'
import { workflows } from '../../../tables/workflows.ts'
import { isTemplated } from './expressions/template.ts'
import type { StepTypes } from '../steps/registry.ts'
import { neededPermissions, stepForbidden } from '../steps/step-permissions.ts'
import { requireSecretsOfKey } from './secrets-of-key.ts'

type Steps = Pick<WorkflowDefinitionBody, 'steps'>
type Inner = { id: string; name: string; version: number; definition: Steps }

/** More sub-workflows than this are not looked into. */
const maxLooked = 100

/**
 * Throws AppError `forbidden` for the first step that the API key of the request may not carry out, also within the
 * sub-workflows that are named. This only spares people a version whose runs would fail: a sub-workflow that is named by
 * an expression, or saved later, is refused when it starts, because the version binds its runs to the key. A person may
 * write steps that others are to start.
 */
export async function requireStepsOfKey(
  db: Db,
  stepTypes: StepTypes,
  organizationId: number,
  definition: Steps,
): Promise<void> {
  const key = currentKey()
  if (key === undefined) return
  const reasonAgainst = (permission: Permission) => whyNot({ role: 'OWNER', key }, permission)
  for (const { name, permission } of neededPermissions(stepTypes, definition)) {
    const reason = reasonAgainst(permission)
    if (reason !== undefined) throw stepForbidden(name, reason)
  }
  await requireSecretsOfKey(db, key, organizationId, definition)
  const looked = new Set<string>()

  async function lookInto(steps: Steps, outer: string | undefined, depth: number): Promise<void> {
    if (depth > workflowLimits.depth) return
    for (const { step, workflow, version } of subworkflowsOf(steps)) {
      const inner =
        looked.size < maxLooked ? await findInner(db, organizationId, workflow, version) : undefined
      if (inner === undefined || looked.has(`${inner.id}:${inner.version}`)) continue
      looked.add(`${inner.id}:${inner.version}`)
      for (const { name, permission } of neededPermissions(stepTypes, inner.definition)) {
        const reason = reasonAgainst(permission)
        if (reason !== undefined)
          throw stepForbidden(outer ?? step, `It starts "${inner.name}" with the step "${name}". ${reason}`)
      }
      await lookInto(inner.definition, outer ?? step, depth + 1)
    }
  }
  await lookInto(definition, undefined, 1)
}

/** The sub-workflows that steps name without an expression. */
function subworkflowsOf({ steps }: Steps): { step: string; workflow: string; version: number | undefined }[] {
  return steps.flatMap((step) =>
    [step, step.compensate].flatMap((each) => {
      if (each?.type !== 'subworkflow') return []
      const { workflow, version } = each.config
      return typeof workflow === 'string' && !isTemplated(workflow)
        ? [{ step: step.name, workflow, version: typeof version === 'number' ? version : undefined }]
        : []
    }),
  )
}

async function findInner(
  db: Db,
  organizationId: number,
  workflow: string,
  version: number | undefined,
): Promise<Inner | undefined> {
  const [found] = await db
    .select({
      id: workflows.id,
      name: workflows.name,
      version: workflowVersions.version,
      definition: workflowVersions.definition,
    })
    .from(workflows)
    .innerJoin(
      workflowVersions,
      and(
        eq(workflowVersions.organizationId, organizationId),
        eq(workflowVersions.workflowId, workflows.id),
        eq(workflowVersions.version, version ?? workflows.currentVersion),
      ),
    )
    .where(
      and(
        eq(workflows.organizationId, organizationId),
        isNull(workflows.deletedAt),
        or(sql`${workflows.id}::text = ${workflow}`, eq(workflows.name, workflow)),
      ),
    )
    .limit(1)
  return found
}
