import { roles, triggerEventNames, triggerEventTable, workflowLimits } from '@bey/contract'
import { z } from 'zod'

import { eventSchema } from '../../runs/event-value.ts'
import { alwaysGuaranteed } from '../guarantee.ts'
import type { FlowStepType } from '../step-type.ts'

const expression = z.string().min(1).max(workflowLimits.expressionChars)
const durationMs = z.number().int().min(1).max(workflowLimits.longestMs)
const duration = (title: string) => durationMs.meta({ title, 'x-widget': 'duration' })

const waitConfig = z
  .strictObject({
    duration_ms: duration('For').optional(),
    until: z.iso.datetime({ offset: true }).optional().meta({
      title: 'Until',
      description: 'A time such as 2026-01-31T08:00:00Z; one that has passed waits no longer.',
      'x-widget': 'datetime',
    }),
  })
  .refine(
    ({ duration_ms: given, until }) => (given === undefined) !== (until === undefined),
    'Give either duration_ms or until.',
  )

export const wait: FlowStepType<typeof waitConfig> = {
  kind: 'flow',
  flow: 'wait',
  type: 'wait',
  label: 'Wait',
  group: 'Flow',
  icon: 'timer',
  description: 'Waits for a time or until a time. A waiting run takes no place of another.',
  // Its decision is recorded in the transaction that acts on it.
  guarantee: alwaysGuaranteed('exactly_once'),
  guaranteeNote: 'A restart of the server neither shortens nor prolongs it.',
  config: waitConfig,
  example: { duration_ms: 60_000 },
  output: { type: 'object', properties: {} },
}

const waitEventConfig = z.strictObject({
  event: z.enum(triggerEventNames).meta({
    title: 'Event',
    description: `${triggerEventNames.map((name) => `${name}: ${triggerEventTable[name].label.toLowerCase()}`).join('. ')}.`,
    'x-widget': 'event',
  }),
  match: expression.optional().meta({
    title: 'Where',
    description: 'CEL expression over event; other events are passed over.',
    'x-widget': 'expression',
    'x-expression': ['event'],
  }),
  timeout_ms: duration('Time limit').optional(),
})

export const waitEvent: FlowStepType<typeof waitEventConfig> = {
  kind: 'flow',
  flow: 'wait_event',
  type: 'wait_event',
  label: 'Wait for event',
  group: 'Flow',
  icon: 'radio',
  description: 'Waits until an event comes, or fails when its time limit is over.',
  // Its decision is recorded in the transaction that acts on it.
  guarantee: alwaysGuaranteed('exactly_once'),
  guaranteeNote: 'An event that came before the step began is not seen.',
  config: waitEventConfig,
  example: {
    event: 'CLUSTER_PROVISIONING_UPDATE',
    match: 'event.status == "COMPLETED"',
    timeout_ms: 3_600_000,
  },
  output: { type: 'object', properties: { event: { type: 'object' } } },
  outputOf: ({ event }) => ({ properties: { event: eventSchema(event) } }),
  variablesOf: ({ event }) => ({ event: eventSchema(event) }),
}

const approvalConfig = z.strictObject({
  question: z.string().min(1).max(500).meta({ title: 'Question' }),
  details: z.string().max(10_000).default('').meta({ title: 'Details', 'x-widget': 'textarea' }),
  facts: z
    .record(z.string().min(1).max(100), z.unknown())
    .default({})
    .meta({ title: 'Facts', description: 'Shown beside the question, by name.', 'x-widget': 'values' }),
  approvers: z
    .strictObject({
      role: z.enum(roles).optional().meta({ title: 'Role', description: 'This role or a mightier one.' }),
      users: z
        .array(z.string().min(1).max(254))
        .max(50)
        .default([])
        .meta({ title: 'People', description: 'E-mail addresses.', 'x-widget': 'users' }),
      allow_requester: z.boolean().default(false).meta({
        title: 'Also who started the run',
        description: 'Without it nobody approves what they started themselves.',
      }),
    })
    .prefault({})
    .meta({ title: 'Who may decide', description: 'Admins and owners unless given.' }),
  count: z.number().int().min(1).max(20).default(1).meta({ title: 'Approvals needed' }),
  form: z.record(z.string(), z.unknown()).optional().meta({
    title: 'Form',
    description: 'JSON Schema of what the approver fills in.',
    'x-widget': 'json',
  }),
  timeout_ms: duration('Time limit').optional(),
  on_timeout: z.enum(['reject', 'approve', 'fail']).default('reject').meta({ title: 'When it is over' }),
})

export const approval: FlowStepType<typeof approvalConfig> = {
  kind: 'flow',
  flow: 'approval',
  type: 'approval',
  label: 'Approval',
  group: 'People',
  icon: 'user-check',
  description: 'Asks people, and goes on when enough of them approve. A rejection fails the step.',
  // Its decision is recorded in the transaction that acts on it.
  guarantee: alwaysGuaranteed('exactly_once'),
  guaranteeNote: 'Each decision is recorded with who, when and why.',
  config: approvalConfig,
  example: { question: 'Deploy {{ inputs.image }} to production?', approvers: { role: 'ADMIN' } },
  output: {
    type: 'object',
    properties: {
      approved: { type: 'boolean' },
      form: { type: 'object' },
      decisions: { type: 'array', items: { type: 'object' } },
    },
  },
}

const subworkflowConfig = z.strictObject({
  workflow: z
    .string()
    .min(1)
    .max(200)
    .meta({ title: 'Workflow', description: 'Its name or id.', 'x-widget': 'workflow' }),
  version: z
    .number()
    .int()
    .min(1)
    .optional()
    .meta({ title: 'Version', description: 'The current one unless given.' }),
  input: z
    .record(z.string(), z.unknown())
    .default({})
    .meta({ title: 'Input', description: 'By the names of its schema.', 'x-widget': 'values' }),
  wait: z.boolean().default(true).meta({
    title: 'Wait for its end',
    description: 'Without it the step succeeds as soon as the run is queued.',
  }),
})

export const subworkflow: FlowStepType<typeof subworkflowConfig> = {
  kind: 'flow',
  flow: 'subworkflow',
  type: 'subworkflow',
  label: 'Sub-workflow',
  group: 'Flow',
  icon: 'workflow',
  description: 'Starts a run of another workflow and gives back its outputs.',
  // Its decision is recorded in the transaction that acts on it.
  guarantee: alwaysGuaranteed('exactly_once'),
  guaranteeNote: 'Starts one run, also when the server dies in between.',
  config: subworkflowConfig,
  example: { workflow: 'deploy', input: { image: '{{ inputs.image }}' } },
  output: {
    type: 'object',
    properties: {
      workflow_id: { type: 'string' },
      run_id: { type: 'string' },
      status: { type: 'string' },
      output: { type: 'object' },
    },
  },
}

const stopConfig = z.strictObject({
  status: z.enum(['completed', 'failed']).default('completed').meta({ title: 'The run ends as' }),
  message: z.string().max(1_000).default('').meta({ title: 'Message' }),
})

export const stop: FlowStepType<typeof stopConfig> = {
  kind: 'flow',
  flow: 'stop',
  type: 'stop',
  label: 'Stop',
  group: 'Flow',
  icon: 'octagon-x',
  description: 'Ends the run at once; steps that have not begun are skipped.',
  // Its decision is recorded in the transaction that acts on it.
  guarantee: alwaysGuaranteed('exactly_once'),
  guaranteeNote: 'Give it a condition (when) to stop only then.',
  config: stopConfig,
  example: { status: 'completed', message: 'Nothing to do.' },
  output: { type: 'object', properties: { status: { type: 'string' }, message: { type: 'string' } } },
}
