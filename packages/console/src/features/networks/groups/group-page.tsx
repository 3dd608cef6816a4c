import { deniedReason, networkCan } from '@bey/contract'
import { isSameGroup } from '@bey/contract/networks/security-group-merge'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Trash } from 'lucide-react'
import { useState } from 'react'
import type { Network, SecurityGroup } from '../../../data/networks.ts'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { useRead } from '../../../data/use-read.ts'
import { networkHref } from '../../../entities/networks/network-text.ts'
import { errorText } from '../../../lib/error-text.ts'
import { failureOf, isMissing } from '../../../lib/failed-query.ts'
import { formatCount } from '../../../lib/format.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { useSubmission } from '../../../lib/use-submission.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { DetailPage } from '../../../ui/detail-page.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { GroupFields, GroupPlan, problemsOf } from './group-form.tsx'
import { MergeNotice } from './merge-notice.tsx'
import { draftOf, useMergedDraft } from './use-merged-draft.ts'

/** One security group: its rules and targets, and what a change of them would do. */
export function GroupPage() {
  const { id = '', groupId = '' } = useParams({ strict: false })
  const network = useRead('networks.get', { params: { id } })
  const groups = useRead('securityGroups.list', { params: { id } })
  const query = useRead('securityGroups.get', { params: { id, groupId } })
  const group = query.data
  const subject =
    group && network.data && groups.data
      ? { group, network: network.data, groups: groups.data.groups }
      : undefined
  usePageTitle(isMissing(query) ? 'Security group not found' : group?.name)
  return (
    <DetailPage
      noun="security group"
      subject={subject}
      title={group?.name}
      badges={({ group: { rules, targets } }) => (
        <>
          <Badge>{formatCount(rules.length, 'rule')}</Badge>
          <Badge>{targets.length === 0 ? 'on nothing' : `on ${formatCount(targets.length, 'target')}`}</Badge>
        </>
      )}
      subtitle={({ group: { description }, network: { name } }) =>
        description === '' ? `Of the network ${name}` : `Of the network ${name} · ${description}`
      }
      actions={(shown) => <DeleteButton {...shown} />}
      content={(shown) => <ChangeForm key={shown.group.id} {...shown} onRead={() => void query.refetch()} />}
      missing={
        isMissing(query) && {
          title: 'There is no such security group in this network',
          action: <ButtonLink href={networkHref(id, 'groups')}>All groups of the network</ButtonLink>,
        }
      }
      failure={failureOf('Failed to fetch the security group', query)}
    />
  )
}

interface Subject {
  group: SecurityGroup
  network: Network
  groups: readonly SecurityGroup[]
}

function ChangeForm({ group, network, groups, onRead }: Subject & { onRead: () => void }) {
  const { draft, setDraft, merge, answer } = useMergedDraft(group)
  const stale = useStaleReason()
  const denied = deniedReason(useRole(), 'networks.update')
  const others = groups.filter(({ id }) => id !== group.id)
  const invalid = problemsOf(draft, network, groups)
  const isValid = Object.keys(invalid).length === 0
  const isSame = isSameGroup(draft, draftOf(group))
  const { name: _, ...values } = draft
  const { errors, refusal, onChange, onSubmit, isBusy } = useSubmission({
    mutation: useChange('securityGroups.update'),
    invalid,
    input: isValid
      ? {
          params: { id: network.id, groupId: group.id },
          body: { ...values, version: group.version },
        }
      : undefined,
    lost: isSame ? undefined : 'the changes of this group',
    onSaved: () => toast('success', 'The security group was changed.'),
  })
  return (
    <form
      noValidate
      aria-label="Change security group"
      className="grid items-start gap-x-10 gap-y-8 px-(--gutter) py-6 lg:grid-cols-[minmax(0,1fr)_24rem]"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <div className="flex min-w-0 flex-col gap-6">
        {merge === undefined ? null : <MergeNotice merge={merge} groups={groups} onAnswer={answer} />}
        <GroupFields
          draft={draft}
          network={network}
          groups={others}
          errors={{ ...invalid, ...errors }}
          isNew={false}
          onChange={(part) => {
            setDraft({ ...draft, ...part })
            onChange()
          }}
        />
      </div>
      <div className="flex flex-col gap-4">
        <GroupPlan draft={draft} isValid={isValid} networkId={network.id} groupId={group.id} />
        {refusal === undefined ? null : (
          <Notice
            tone="danger"
            title="The group was not changed"
            actions={<Button onClick={onRead}>Read what is there now</Button>}
          >
            {refusal}
          </Notice>
        )}
        <Button
          type="submit"
          variant="primary"
          busy={isBusy}
          disabledReason={
            stale ??
            denied ??
            networkCan.change(network) ??
            (merge?.conflicts.length ? 'Choose between your change and the other one first.' : undefined) ??
            (isSame ? 'Nothing is changed.' : undefined)
          }
        >
          Save changes
        </Button>
      </div>
    </form>
  )
}

function DeleteButton({ group, network }: Subject) {
  const [isAsked, setAsked] = useState(false)
  const remove = useChange('securityGroups.delete')
  const navigate = useNavigate()
  const stale = useStaleReason()
  const denied = deniedReason(useRole(), 'networks.update')
  const failure = remove.error ? errorText('Failed to delete the group', remove.error) : undefined
  return (
    <>
      <Button
        icon={<Trash size={14} aria-hidden />}
        disabledReason={stale ?? denied ?? networkCan.change(network)}
        onClick={() => setAsked(true)}
      >
        Delete
      </Button>
      {isAsked ? (
        <ConfirmDialog
          open
          onOpenChange={(open) => (open ? undefined : setAsked(false))}
          title="Are you sure you want to delete this security group?"
          name={group.name}
          impactTitle="This goes with it:"
          impact={
            group.targets.length === 0
              ? []
              : [
                  `Its policies on ${formatCount(group.targets.length, 'target')}: what they closed is open then`,
                ]
          }
          action="Delete group"
          busy={remove.isPending}
          error={failure ? [failure.title, failure.detail].filter(Boolean).join(': ') : undefined}
          onConfirm={() =>
            remove.mutate(
              { params: { id: network.id, groupId: group.id } },
              { onSuccess: () => void navigate({ href: networkHref(network.id, 'groups'), replace: true }) },
            )
          }
        />
      ) : null}
    </>
  )
}
