import type { CallOutput, KeptPolicy } from '@bey/contract'
import { portsText, type SecurityGroupDraft } from '@bey/contract/networks/security-group-rules'
import type { Network, SecurityGroup } from '../../data/networks.ts'
import { useChange } from '../../data/use-change.ts'
import { useRead } from '../../data/use-read.ts'
import { useNetworkActions } from '../../entities/networks/use-network-actions.ts'
import { causeOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.ts'
import { labelsText } from './groups/label-text.ts'
import { peerText } from './groups/peer-text.ts'
import { useDatabaseNames } from './groups/use-database-names.ts'
import { PlanSummary } from './plan-summary.tsx'

type Plan = CallOutput<'networks.takeOver.plan'>
type Change = { sign: '+' | '−'; text: string }

/** Shows what taking over a changed policy makes of its group and of other places, and starts it. */
export function TakeOverDialog({
  network,
  policy,
  onClose,
}: {
  network: Network
  policy: KeptPolicy
  onClose: () => void
}) {
  const params = { id: network.id, policyId: policy.id }
  const plan = useRead('networks.takeOver.plan', { params })
  const groups = useRead('securityGroups.list', { params: { id: network.id } })
  const start = useChange('networks.takeOver.start')
  const { changeReason } = useNetworkActions(network)
  const { data } = plan
  const place = `${policy.namespace}/${policy.name}`
  const version = data?.group?.version
  const reason =
    changeReason ??
    (data === undefined
      ? 'The cluster is asked first.'
      : data.refusal !== null || version === undefined
        ? 'Rules of security groups cannot express what the cluster has.'
        : undefined)
  const submit = () => {
    if (data === undefined || version === undefined) return
    start.mutate(
      { params, body: { found: data.found, version } },
      {
        onSuccess: ({ message }) => {
          toast('success', message)
          onClose()
        },
        // The cluster has something else by now: what it would mean is read again.
        onError: () => void plan.refetch(),
      },
    )
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      size="wide"
      title={`Take over ${place}`}
      description={`What ${policy.clusterTitle} has becomes what Bey holds.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={start.isPending} disabledReason={reason} onClick={submit}>
            Take over
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {start.error ? <Notice tone="danger" title={causeOf(start.error)} /> : null}
        {plan.error && data === undefined ? (
          <Notice tone="warn" title="What it would change is not known">
            {causeOf(plan.error)}
          </Notice>
        ) : data === undefined ? (
          <p className="text-text-2">{policy.clusterTitle} is asked…</p>
        ) : (
          <TakenOver network={network} plan={data} groups={groups.data?.groups ?? []} />
        )}
      </div>
    </Dialog>
  )
}

function TakenOver({
  network,
  plan,
  groups,
}: {
  network: Network
  plan: Plan
  groups: readonly SecurityGroup[]
}) {
  const databases = useDatabaseNames()
  const { refusal, group, policies, unread } = plan
  if (refusal !== null) {
    return (
      <Notice tone="warn" title="It cannot be taken over">
        {refusal.reason}
        {refusal.member === null ? null : <code className="mt-1 block break-all">{refusal.member}</code>}
      </Notice>
    )
  }
  if (group === null || group.after === null) return null
  const changes = changesOf(group.before, group.after, { groups, databases })
  return (
    <>
      <div>
        <p>
          The security group{' '}
          <Link href={`/networking/${network.id}/groups/${group.id}`} className="font-medium hover:underline">
            {group.name}
          </Link>{' '}
          becomes version {group.version + 1}:
        </p>
        <ul aria-label="Changes of the group" className="mt-1.5 divide-y divide-line border-y border-line">
          {changes.map(({ sign, text }) => (
            <li key={`${sign} ${text}`} className="flex gap-2 py-1.5">
              <span className={sign === '+' ? 'text-ok' : 'text-danger'}>{sign}</span>
              <span className="min-w-0 break-words">{text}</span>
            </li>
          ))}
          {changes.length === 0 ? (
            <li className="py-1.5 text-text-2">Its rules say the same already, in other words.</li>
          ) : null}
        </ul>
      </div>
      <PlanSummary
        isValid
        plan={{ data: { problems: [], policies, unread }, error: null }}
        nothing="No other policy changes: the group is put on nothing else, and no other group names it."
      />
    </>
  )
}

type NamedPeers = { groups: readonly SecurityGroup[]; databases: ReturnType<typeof useDatabaseNames> }

function changesOf(before: SecurityGroupDraft, after: SecurityGroupDraft, named: NamedPeers): Change[] {
  return [
    ...different(filterTexts(before), filterTexts(after)),
    ...different(ruleTexts(before, named), ruleTexts(after, named)),
    ...different(targetTexts(before), targetTexts(after)),
  ]
}

const different = (before: readonly string[], after: readonly string[]): Change[] => [
  ...before.filter((text) => !after.includes(text)).map((text) => ({ sign: '−', text }) as const),
  ...after.filter((text) => !before.includes(text)).map((text) => ({ sign: '+', text }) as const),
]

const filterTexts = ({ filtersIn, filtersOut }: SecurityGroupDraft) => [
  ...(filtersIn ? ['What comes in is closed but for the rules'] : []),
  ...(filtersOut ? ['What goes out is closed but for the rules'] : []),
]

const ruleTexts = ({ rules }: SecurityGroupDraft, { groups, databases }: NamedPeers) =>
  rules.map((rule) => {
    const peer = peerText(rule.peer, groups, databases)
    return rule.direction === 'in' ? `${portsText(rule)} from ${peer}` : `${portsText(rule)} to ${peer}`
  })

const targetTexts = ({ targets }: SecurityGroupDraft) =>
  targets.map(({ namespace, labels }) => `On ${namespace}, ${labelsText(labels) || 'all pods'}`)
