import type { DefinitionProblem, WorkflowDefinitionBody, WorkflowState } from '@bey/contract'

import type { Who } from '../../../platform/act.ts'
import type { Clock } from '../../../platform/clock.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { currentKey } from '../../../platform/keys/key-rights.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { missing } from '../parts.ts'
import type { Publish } from '../ports.ts'
import { presentWorkflow } from '../present.ts'
import type { ForgetRuns } from '../runs/retention.ts'
import type { StepTypes } from '../steps/registry.ts'
import { findWorkflow } from '../store.ts'
import { findWorkflowFacts } from './facts.ts'
import { checkDefinition, type CheckSteps, readDefinition } from './check-definition.ts'
import { deleteForGood, deleteWorkflow, restoreWorkflow } from './delete-workflow.ts'
import { recordChange } from './record-change.ts'
import { lockOwn, orNameTaken, requireMove, savedMeanwhile } from './rules.ts'
import { findVersion, insertVersion, insertWorkflow, listVersions, setWorkflowState } from './store.ts'
import { requireStepsOfKey } from './steps-of-key.ts'
import { authorOf, isTakenOver, newVersion, presentVersion } from './version.ts'

export type AuthoringParts = {
  database: Database
  clock: Clock
  publish: Publish
  stepTypes: StepTypes
  /** What is wrong with steps, with a warning for what they name and the organization does not have. */
  checkStepsIn(organizationId: number, definition: Readonly<Record<string, unknown>>): Promise<CheckSteps>
  forgetRuns: ForgetRuns
}

type Save = WorkflowDefinitionBody & { reason: string }

/** Problems that one reply carries. */
const problemsShown = 200

/** Workflows of one's own as people write them: versions, state, validation. */
export function createAuthoring(parts: AuthoringParts) {
  const { database, clock, publish } = parts

  async function create({ reason, state, ...definition }: Save & { state: WorkflowState }, who: Who) {
    const { organizationId } = who
    const warnings = await checked(definition, organizationId)
    const id = uuidv7()
    return orNameTaken(definition.name, () =>
      database.withTenant(organizationId, async (db) => {
        const facts = { organizationId, id, version: 1, reason, ...authorOf(who), now: clock.now() }
        await insertWorkflow(db, state, newVersion(definition, facts))
        const workflow = { id, name: definition.name }
        await recordChange(db, publish, who, { change: 'created', workflow, diff: { state, reason } })
        return keepReply(db, { ...(await saved(parts, db, organizationId, id, 1)), warnings })
      }),
    )
  }

  /** A save that changes nothing makes no version, unless a person or another key takes over what a key had saved. */
  async function update(id: string, save: Save & { baseVersion?: number | undefined }, who: Who) {
    const { reason, baseVersion, ...definition } = save
    const { organizationId } = who
    const warnings = await checked(definition, organizationId)
    return orNameTaken(definition.name, () =>
      database.withTenant(organizationId, async (db) => {
        const row = await lockOwn(db, organizationId, id)
        if (baseVersion !== undefined && baseVersion !== row.version) {
          throw await savedMeanwhile(db, organizationId, id, row.version)
        }
        const version = row.version + 1
        const next = newVersion(definition, {
          organizationId,
          id,
          version,
          reason,
          ...authorOf(who),
          now: clock.now(),
        })
        const current = await findVersion(db, organizationId, id, row.version)
        if (current?.checksum === next.checksum && !isTakenOver(current, next)) {
          return { ...(await saved(parts, db, organizationId, id, row.version)), warnings }
        }
        await insertVersion(db, next)
        const workflow = { id, name: definition.name }
        await recordChange(db, publish, who, { change: 'saved', workflow, diff: { version, reason } })
        return { ...(await saved(parts, db, organizationId, id, version)), warnings }
      }),
    )
  }

  /**
   * The warnings for a definition. Throws `invalid_request` with every error by its place, and `forbidden` where it has a
   * step that the API key of the request may not carry out.
   */
  async function checked(definition: WorkflowDefinitionBody, organizationId: number) {
    if (currentKey())
      await database.readTenant(organizationId, (db) =>
        requireStepsOfKey(db, parts.stepTypes, organizationId, definition),
      )
    const problems = checkDefinition(definition, await parts.checkStepsIn(organizationId, definition))
    requireValid(problems)
    return problems.slice(0, problemsShown)
  }

  function setState(id: string, { state, reason }: { state: WorkflowState; reason: string }, who: Who) {
    const { organizationId } = who
    return database.withTenant(organizationId, async (db) => {
      const row = await lockOwn(db, organizationId, id)
      if (row.state !== state) {
        requireMove(row.state, state)
        await setWorkflowState(db, organizationId, id, state)
        const diff = { from: row.state, to: state, reason }
        await recordChange(db, publish, who, {
          change: 'state',
          workflow: { id, name: row.name },
          diff,
        })
      }
      const { workflow } = await saved(parts, db, organizationId, id, row.version)
      return keepReply(db, { workflow })
    })
  }

  function versions(id: string, page: { page: number; limit: number }, organizationId: number) {
    return database.readTenant(organizationId, async (db) => {
      const workflow = await findWorkflowFacts(db, organizationId, id)
      if (workflow === undefined) return missing('workflow')
      const { rows, ...total } = await listVersions(db, organizationId, id, page)
      return { versions: rows.map(presentVersion), ...total, page: page.page, limit: page.limit }
    })
  }

  function version(id: string, asked: number | 'latest', organizationId: number) {
    return database.readTenant(organizationId, async (db) => {
      const workflow = await findWorkflowFacts(db, organizationId, id)
      if (workflow === undefined) return missing('workflow')
      const row = await findVersion(db, organizationId, id, asked === 'latest' ? workflow.version : asked)
      if (row !== undefined) return { version: presentVersion(row), definition: row.definition }
      const why =
        workflow.builtIn === null
          ? `This workflow has no version ${asked}; the current one is ${workflow.version}.`
          : 'This workflow is built in and has no versions.'
      throw new AppError('not_found', why)
    })
  }

  async function validate(written: Record<string, unknown>, organizationId: number) {
    const checkSteps = await parts.checkStepsIn(organizationId, written)
    const { problems } = readDefinition(written, checkSteps)
    return { problems: problems.slice(0, problemsShown), total: problems.length }
  }

  const remove = (id: string, isPermanent: boolean, who: Who) =>
    isPermanent ? deleteForGood(parts, id, who) : deleteWorkflow(parts, id, who)

  function restore(id: string, who: Who) {
    const { organizationId } = who
    return database.withTenant(organizationId, async (db) => {
      const { version: current } = await restoreWorkflow(parts, db, id, who)
      const { workflow } = await saved(parts, db, organizationId, id, current)
      return keepReply(db, { workflow })
    })
  }

  return { create, update, setState, remove, restore, versions, version, validate }
}

export type Authoring = ReturnType<typeof createAuthoring>

/** Throws `invalid_request` with every error by its place; the sentence names the first. */
function requireValid(problems: readonly DefinitionProblem[]): void {
  const errors = problems.filter(({ severity }) => severity === 'error')
  const [first] = errors
  if (first === undefined) return
  const where = first.stepKey === null ? '' : `Step "${first.stepKey}": `
  const rest = errors.length - 1
  const more = rest === 0 ? '' : ` (and ${rest} more ${rest === 1 ? 'problem' : 'problems'})`
  throw new AppError('invalid_request', `${where}${first.message}${more}`, {
    errors: errors.slice(0, problemsShown).map(({ path, message, position }) => ({
      path,
      message:
        position === undefined ? message : `${message} (line ${position.line}, column ${position.column})`,
    })),
  })
}

async function saved(
  { stepTypes }: Pick<AuthoringParts, 'stepTypes'>,
  db: Db,
  organizationId: number,
  id: string,
  version: number,
) {
  const [row, versionRow] = await Promise.all([
    findWorkflow(db, organizationId, id),
    findVersion(db, organizationId, id, version),
  ])
  if (row === undefined || versionRow === undefined) return missing('workflow')
  return {
    workflow: presentWorkflow({ definitions: new Map(), stepTypes }, row),
    version: presentVersion(versionRow),
  }
}
