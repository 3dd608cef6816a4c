import { StepFailure } from '../../platform/engine/step-failure.ts'
import type {
  Json,
  StepContext,
  StepDefinition,
  WorkflowDefinition,
} from '../workflows/definition/definition.ts'
import { listAttachments } from './attachment-rows.ts'
import { checkDraft } from './draft.ts'
import { confirmTaken } from './drift/confirm-taken.ts'
import { type GroupRow, listGroups } from './groups/group-rows.ts'
import type { NetworkParts } from './parts.ts'
import { realisePolicies } from './realise.ts'
import { networkIdOf, onNetworkMove } from './run-moves.ts'
import { findNetwork, type NetworkRow } from './store.ts'
import { type AttachmentRow } from './attachment-rows.ts'
import { givenOf } from './given-attachments.ts'
import { compareWithClusters } from './compare.ts'

/** Changes of policies that the output of a run lists; the count is of all. */
const shownChanges = 200

type Options = Omit<NetworkParts, 'workflows'>
type Subject = { row: NetworkRow; attached: AttachmentRow[]; groups: GroupRow[] }

/** The built-in workflows of networks. */
export function networkWorkflows(options: Options): WorkflowDefinition[] {
  const { database, clock } = options

  function step(
    key: string,
    name: string,
    work: (context: StepContext, subject: Subject) => Promise<Json | undefined>,
  ): StepDefinition {
    return {
      key,
      name,
      type: 'network',
      guarantee: 'at_least_once_keyed',
      async execute(context) {
        const { organizationId } = context.run
        const id = networkIdOf(context.run)
        const subject = await database.readTenant(organizationId, async (db) => {
          const row = await findNetwork(db, organizationId, id)
          if (row === undefined) return undefined
          const attached = await listAttachments(db, organizationId, [id])
          return { row, attached, groups: await listGroups(db, organizationId, id) }
        })
        if (subject === undefined) throw new Error('The network of this run is gone')
        return work(context, subject)
      },
    }
  }

  const check = step('check', 'Check ranges and attachments', async (context, { row, attached }) => {
    const draft = { ...row, attachments: givenOf(attached) }
    const { problems, unread } = await checkDraft(options, row.organizationId, draft, row.id)
    for (const { title, reason } of unread) {
      context.log(`The ranges of ${title} are as they were last read. ${reason}`, 'warning')
    }
    const [first] = problems
    if (first !== undefined) throw new StepFailure(first.message)
    context.log(`${row.cidr}${row.cidr6 === null ? '' : ` and ${row.cidr6}`}: nothing overlaps.`)
    return undefined
  })

  const realise = (key: string, name: string, isGone: boolean) =>
    step(key, name, async (context, { row, attached, groups }) => {
      const log = (line: string) => context.log(line)
      const subject = { ...row, attached, groups }
      const { signal } = context
      const done = await realisePolicies(options, subject, { isGone, log, signal })
      const { written, deleted, changes, failures, databases } = done
      if (failures.length === 0) {
        if (written + deleted === 0) context.log('No cluster needs a policy.')
        const shown = changes.slice(0, shownChanges)
        return { written, deleted, databases, changes: shown, changed_count: changes.length }
      }
      const rest = failures.length > 3 ? ` And ${failures.length - 3} more, in the log.` : ''
      throw new StepFailure(
        `${written} ${written === 1 ? 'policy is' : 'policies are'} in force, but not all: ${failures.slice(0, 3).join(' ')}${rest} Apply it again to finish it.`,
      )
    })
  const apply = realise('apply', 'Put policies into clusters', false)
  const remove = realise('remove', 'Remove policies from clusters', true)

  const verify = step('verify', 'Read them back', async (context, { row }) => {
    const { differing, silent } = await compareWithClusters(options, row)
    if (silent.length > 0) throw new StepFailure(`${silent.join(', ')}: the policies could not be read back.`)
    if (differing.length > 0) {
      throw new StepFailure(`Somebody changed ${differing.join(', ')} at the same moment. Apply it again.`)
    }
    context.log('Every policy matches its definition in Bey.')
    return undefined
  })

  const confirm = step('confirm', 'Read the policy again', async (context, { row }) => {
    await confirmTaken(options, context, row.id)
    return undefined
  })

  const active = () => ({ status: 'active' }) as const
  return [
    {
      key: 'network.create',
      name: 'Create network',
      description: 'Checks that nothing overlaps, and puts the policies of a network into its clusters.',
      type: 'provisioning',
      cancelPermission: 'networks.create',
      steps: [check, apply, verify],
      onMove: onNetworkMove(clock, {
        what: 'The creation',
        while: ['pending', 'creating'],
        begun: 'creating',
        completed: active,
      }),
    },
    {
      key: 'network.update',
      name: 'Change network',
      description: 'Checks the changed ranges of a network, and makes its clusters have its policies.',
      type: 'maintenance',
      cancelPermission: 'networks.update',
      steps: [check, apply, verify],
      onMove: onNetworkMove(clock, { what: 'The change', while: ['updating'], completed: active }),
    },
    {
      key: 'network.apply',
      name: 'Apply network',
      description: 'Makes the clusters of a network have its policies as they are held in Bey.',
      type: 'maintenance',
      cancelPermission: 'networks.update',
      steps: [apply, verify],
      onMove: onNetworkMove(clock, { what: 'Applying', while: ['updating'], completed: active }),
    },
    {
      key: 'network.take_over',
      name: 'Take over policy',
      description:
        'Makes every policy of a security group say what one of them says in its cluster, where it was changed past Bey.',
      type: 'maintenance',
      cancelPermission: 'networks.update',
      steps: [confirm, apply, verify],
      onMove: onNetworkMove(clock, { what: 'Taking over', while: ['updating'], completed: active }),
    },
    {
      key: 'network.delete',
      name: 'Delete network',
      description: 'Removes the policies of a network from its clusters, and the network.',
      type: 'maintenance',
      cancelPermission: 'networks.delete',
      steps: [remove],
      onMove: onNetworkMove(clock, {
        what: 'The deletion',
        while: ['deleting'],
        completed: (now) => ({ status: 'deleted', values: { deletedAt: now, figures: null } }),
      }),
    },
  ]
}
