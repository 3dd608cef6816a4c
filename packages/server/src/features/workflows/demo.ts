import { randomUUID } from 'node:crypto'
import { type RunStatus, type StepStatus, guaranteeOf, type WorkflowDefinitionBody } from '@bey/contract'
import { workflowDefinition, type WorkflowDefinitionInput } from '@bey/contract/workflows/definition'
import type { Db } from '../../platform/db/database.ts'
import type { DemoPart, DemoPersonKey, DemoScene } from '../../platform/demo.ts'
import { stepRuns } from '../../tables/step-runs.ts'
import { workflowRuns } from '../../tables/workflow-runs.ts'
import { workflowTriggers } from '../../tables/workflow-triggers.ts'
import { insertWorkflow } from './definition/store.ts'
import { newVersion } from './definition/version.ts'
import type { StartedRun, StartWorkflowRun } from './runs/starting/start-workflow-run.ts'
import type { StepTypes } from './steps/registry.ts'
import { workflowTemplates } from './definition/templates/templates.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const rowsAtOnce = 500

type DemoWorkflow = {
  template: string
  name?: string
  by: DemoPersonKey
  /** Hours between its runs. */
  everyHours: number
  /** Runs from the last on that failed. */
  lastFailed?: number
  /** Every so many of the others failed. */
  failsEvery?: number
  stepSeconds: number
  schedule?: { cron: string; input: (scene: DemoScene) => Record<string, unknown> }
}

const plans: readonly DemoWorkflow[] = [
  { template: 'deploy-with-approval', by: 'kaya', everyHours: 21, failsEvery: 7, stepSeconds: 34 },
  { template: 'restart-with-health-check', by: 'teo', everyHours: 40, stepSeconds: 18 },
  {
    template: 'orphaned-volumes',
    name: 'Clean up orphaned volumes',
    by: 'noor',
    everyHours: 24,
    lastFailed: 3,
    stepSeconds: 9,
    schedule: {
      cron: '10 2 * * *',
      input: ({ clusters }) => ({ cluster: clusters.at(-1)?.title ?? '' }),
    },
  },
  { template: 'scale-for-the-night', by: 'noor', everyHours: 12, stepSeconds: 5 },
  {
    template: 'certificate-expiry',
    by: 'kaya',
    everyHours: 24,
    stepSeconds: 2,
    schedule: { cron: '0 6 * * *', input: () => ({ hosts: ['shop.ostwind.example'] }) },
  },
  { template: 'http-health-check', by: 'mara', everyHours: 8, failsEvery: 15, stepSeconds: 1 },
  { template: 'incident-snapshot', by: 'teo', everyHours: 90, stepSeconds: 22 },
  { template: 'replace-node', by: 'kaya', everyHours: 120, failsEvery: 2, stepSeconds: 64 },
]

const approvedTemplate = 'deploy-with-approval'

/**
 * Eight workflows of a team with the runs of two weeks, which say that they are seeded, and one real run that waits for
 * an approval: the visitor's decision lets it go on.
 */
export function workflowsDemo(
  stepTypes: StepTypes,
  start: (db: Db, run: StartWorkflowRun) => Promise<StartedRun>,
): DemoPart {
  return async (db, scene) => {
    for (const plan of plans) {
      const id = await insertOne(db, stepTypes, scene, plan)
      if (plan.template !== approvedTemplate) continue
      await start(db, {
        organizationId: scene.organizationId,
        workflowId: id,
        input: {
          cluster: scene.clusters.find(({ mood }) => mood === 'healthy')?.title ?? '',
          namespace: 'shop',
          deployment: 'checkout',
          container: 'checkout',
          image: 'registry.ostwind.example/checkout:2.15.1',
        },
        trigger: 'manual',
        createdBy: scene.people.noor.id,
      })
    }
  }
}

/** Asked first: the clusters of the demo are not there yet when the run begins. */
function stepsFromApproval(steps: WorkflowDefinitionInput['steps']): WorkflowDefinitionInput['steps'] {
  return steps
    .filter(({ key }) => key !== 'current')
    .map((step) =>
      step.key === 'approve'
        ? { ...step, config: { ...step.config, facts: { 'Runs now': 'checkout:2.15.0', Replicas: '3' } } }
        : step,
    )
}

async function insertOne(
  db: Db,
  stepTypes: StepTypes,
  scene: DemoScene,
  plan: DemoWorkflow,
): Promise<string> {
  const { organizationId, people, now } = scene
  const template = workflowTemplates.find(({ id }) => id === plan.template)
  if (template === undefined) throw new Error(`There is no template ${plan.template}.`)
  const definition = workflowDefinition.parse({
    ...template.definition,
    ...(plan.name && { name: plan.name }),
    ...(plan.template === approvedTemplate && { steps: stepsFromApproval(template.definition.steps) }),
  })
  const id = randomUUID()
  const author = people[plan.by]
  await insertWorkflow(
    db,
    'active',
    newVersion(definition, {
      organizationId,
      id,
      version: 1,
      reason: 'Seeded with the demo',
      userId: author.id,
      now: new Date(now.getTime() - 14 * dayMs),
    }),
  )
  if (plan.schedule) {
    await db.insert(workflowTriggers).values({
      id: randomUUID(),
      organizationId,
      workflowId: id,
      name: 'Schedule',
      type: 'schedule',
      settings: {
        type: 'schedule',
        cron: plan.schedule.cron,
        time_zone: 'UTC',
        catch_up: 'latest',
        overlap: 'skip',
        input: plan.schedule.input(scene),
      },
      // The scheduler works out the times after this one.
      nextAt: nextDaily(plan.schedule.cron, now),
      createdBy: author.id,
    })
  }
  await insertRuns(db, stepTypes, scene, plan, id, definition)
  return id
}

/** The next time of a cron that names minute and hour alone. */
function nextDaily(cron: string, now: Date): Date {
  const [minute = '0', hour = '0'] = cron.split(' ')
  const next = new Date(now)
  next.setUTCHours(Number(hour), Number(minute), 0, 0)
  return next > now ? next : new Date(next.getTime() + dayMs)
}

async function insertRuns(
  db: Db,
  stepTypes: StepTypes,
  scene: DemoScene,
  plan: DemoWorkflow,
  workflowId: string,
  definition: WorkflowDefinitionBody,
): Promise<void> {
  const { organizationId, people, now, random } = scene
  const count = Math.floor((13 * 24) / plan.everyHours)
  const runs: (typeof workflowRuns.$inferInsert)[] = []
  const steps: (typeof stepRuns.$inferInsert)[] = []
  for (let index = 0; index < count; index += 1) {
    const left = count - index
    const began = now.getTime() - left * plan.everyHours * hourMs + random() * 20 * 60_000
    const hasFailed =
      left <= (plan.lastFailed ?? 0) || (plan.failsEvery !== undefined && index % plan.failsEvery === 3)
    const failsAt = hasFailed ? Math.min(1, definition.steps.length - 1) : -1
    const runId = randomUUID()
    let at = began
    definition.steps.forEach((step, position) => {
      const isAfter = hasFailed && position > failsAt
      const status: StepStatus = isAfter ? 'skipped' : position === failsAt ? 'failed' : 'succeeded'
      const durationMs = Math.round(plan.stepSeconds * 1_000 * (0.7 + random() * 0.8))
      steps.push({
        id: randomUUID(),
        organizationId,
        runId,
        key: step.key,
        name: step.name ?? step.key,
        type: step.type,
        position,
        status,
        attempt: isAfter ? 0 : 1,
        guarantee: guaranteeOf(stepTypes.get(step.type)?.guarantee, step.config),
        needs: position === 0 ? [] : [definition.steps[position - 1]?.key ?? ''],
        note: isAfter ? 'A step before it failed.' : '',
        progressPercent: status === 'succeeded' ? 100 : 0,
        error: status === 'failed' ? { message: failureOf(plan) } : null,
        startedAt: isAfter ? null : new Date(at),
        finishedAt: isAfter ? null : new Date(at + durationMs),
      })
      if (!isAfter) at += durationMs
    })
    const status: RunStatus = hasFailed ? 'failed' : 'completed'
    runs.push({
      id: runId,
      organizationId,
      workflowId,
      status,
      input: {},
      output: hasFailed ? null : { seeded: true },
      error: hasFailed
        ? { message: failureOf(plan), stepKey: definition.steps[failsAt]?.key ?? null, seeded: true }
        : null,
      trigger: plan.schedule ? 'schedule' : 'manual',
      triggerName: plan.schedule ? 'Schedule (seeded)' : null,
      workflowVersion: 1,
      queuedAt: new Date(began),
      startedAt: new Date(began),
      finishedAt: new Date(at),
      createdBy: plan.schedule ? null : people[plan.by].id,
      createdAt: new Date(began),
    })
  }
  for (let from = 0; from < runs.length; from += rowsAtOnce)
    await db.insert(workflowRuns).values(runs.slice(from, from + rowsAtOnce))
  for (let from = 0; from < steps.length; from += rowsAtOnce)
    await db.insert(stepRuns).values(steps.slice(from, from + rowsAtOnce))
}

function failureOf({ template }: DemoWorkflow): string {
  if (template === 'orphaned-volumes')
    return 'The claim insight/export-2 is still used by a pod that ended; its volume was not released.'
  if (template === 'replace-node')
    return 'The drain was held up by the disruption budget of shop/storefront for 10 minutes.'
  if (template === 'http-health-check') return 'https://shop.ostwind.example answered 503 three times.'
  return 'The rollout did not finish within 5 minutes: 1 of 3 new pods was not ready.'
}
