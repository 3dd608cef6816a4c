import type { Prompt } from '@modelcontextprotocol/sdk/types.js'
import { AppError } from '../../platform/errors.ts'
import type { TenantCaller } from '../../platform/http/handlers.ts'
import { mayDo } from '../../platform/keys/key-rights.ts'
import { tools } from './tools/table.ts'

type Row = {
  name: string
  title: string
  description: string
  arguments: { name: string; description: string; required: boolean }[]
  /** Without these there is nothing to do. */
  needs: readonly string[]
  text(given: Readonly<Record<string, string>>): string
}

const optional = (name: string, description: string) => ({ name, description, required: false })
const required = (name: string, description: string) => ({ name, description, required: true })

/** Common jobs, in the order in which an engineer would do them. */
const rows: readonly Row[] = [
  {
    name: 'incident',
    title: 'Look into an incident',
    description: 'Find what fails, why, and what would mend it; act only after the person agreed.',
    arguments: [optional('what', 'What is known so far: a name, a symptom, a time.')],
    needs: ['needs_attention', 'explain_failure'],
    text: ({ what }) =>
      [
        what ? `There is an incident: ${what}` : 'Something may be wrong.',
        '1. needs_attention: what fails now, and since when.',
        '2. explain_failure of the worst of it, with what_changed from shortly before it began. Read logs only where the explanation leaves a question.',
        '3. blast_radius: who else is affected.',
        '4. Tell the cause with its evidence in a few sentences, and the remedy that you would choose with its risk.',
        '5. Make a dry run of that remedy, show its plan, and wait until I agree before you carry it out.',
        '6. Afterwards ask explain_failure again until it says that nothing is wrong, and sum up for a report: time, cause, effect, remedy, what would have prevented it.',
      ].join('\n'),
  },
  {
    name: 'deployment_review',
    title: 'Review a deployment',
    description: 'Whether a rollout went well: what changed, health, logs and metrics before and after.',
    arguments: [
      required('cluster', 'Name or id of the cluster.'),
      required('namespace', 'Namespace of the workload.'),
      required('name', 'Name of the Deployment.'),
    ],
    needs: ['get_object', 'what_changed'],
    text: ({ cluster, namespace, name }) =>
      [
        `Review the rollout of the Deployment ${namespace}/${name} in the cluster ${cluster}.`,
        '1. get_object: images, replicas, latest events. what_changed for its namespace: what this rollout changed, and who did it.',
        '2. explain_failure: whether anything is wrong now.',
        '3. read_logs with contains "error", of the new pods.',
        '4. query_metrics: CPU, memory and restarts before and after.',
        '5. Answer: keep, watch or roll back, with the two or three facts that decide it. Change nothing.',
      ].join('\n'),
  },
  {
    name: 'access_review',
    title: 'Review access',
    description: 'Who may do what, what is not used, and what was refused.',
    arguments: [],
    needs: ['list_members', 'list_api_keys'],
    text: () =>
      [
        'Review who has access to this organization.',
        '1. list_members: roles, members without a second factor, and those who were not here for 90 days.',
        '2. list_api_keys: keys without an end, without allowed networks, not used for 30 days, or with more permissions than their name suggests; name each that holds assistants.unattended.',
        '3. Where you may, read_audit_log with outcome denied over the last 30 days: who was refused what, and whether that is a pattern.',
        '4. Answer with a table: who, what, why it is noteworthy, what you propose. Change nothing.',
      ].join('\n'),
  },
]

export function promptsOf(caller: TenantCaller): Prompt[] {
  return rows
    .filter(({ needs }) => needs.every((name) => mayUse(caller, name)))
    .map(({ needs: _needs, text: _text, ...prompt }) => prompt)
}

/** A prompt with its blanks filled in. Throws AppError for one that is unknown, and for a blank that is left. */
export function promptText(name: string, given: Readonly<Record<string, string>>): string {
  const row = rows.find((each) => each.name === name)
  if (row === undefined)
    throw new AppError(
      'not_found',
      `There is no prompt "${name.slice(0, 100)}". There are ${rows.map((each) => each.name).join(', ')}.`,
    )
  const missing = row.arguments.filter((each) => each.required && !given[each.name]).map((each) => each.name)
  if (missing.length > 0)
    throw new AppError('invalid_request', `The prompt ${name} needs ${missing.join(', ')}.`)
  const known = row.arguments.map((each) => [each.name, (given[each.name] ?? '').slice(0, 1_000)] as const)
  return row.text(Object.fromEntries(known))
}

function mayUse(caller: TenantCaller, name: string): boolean {
  return tools.some((tool) => tool.name === name && tool.needs.every((each) => mayDo(caller, each)))
}
