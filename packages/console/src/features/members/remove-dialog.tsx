import type { BelongingChoice, Belongings, Member } from '@bey/contract'
import { useState } from 'react'
import { useCurrentOrganization } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useRead } from '../../data/use-read.ts'
import { useChange } from '../../data/use-change.ts'
import { causeOf } from '../../lib/error-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { MemberPicker } from './member-picker.tsx'

const choiceLabels: Record<BelongingChoice, string> = { keep: 'Keep', transfer: 'Transfer', end: 'End' }

/** Removes a member, after somebody has decided what becomes of each kind of thing that the person has here. */
export function RemoveDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const list = useRead('members.belongings', { params: { id: member.id } }, { becomesOld: 'now' })
  const failure = failureOf(`Failed to fetch what ${member.name} has here`, list)
  const organization = useCurrentOrganization()?.name ?? 'the organization'
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Remove ${member.name} from ${organization}?`}
      description={`${member.email} loses access within a second, on every device and in kubectl.`}
      isModalStrict
    >
      {failure ? <ErrorState {...failure} isCompact /> : null}
      {list.data ? (
        <RemoveForm member={member} belongings={list.data.belongings} onClose={onClose} />
      ) : failure ? null : (
        <DelayedSkeleton>
          <Skeleton className="h-24 w-full" />
        </DelayedSkeleton>
      )}
    </Dialog>
  )
}

interface RemoveFormProps {
  member: Member
  belongings: readonly Belongings[]
  onClose: () => void
}

function RemoveForm({ member, belongings, onClose }: RemoveFormProps) {
  const [chosen, setChosen] = useState<Readonly<Record<string, BelongingChoice>>>({})
  const [transferTo, setTransferTo] = useState<number>()
  const [wasSubmitted, setSubmitted] = useState(false)
  const remove = useChange('members.remove')
  const stale = useStaleReason()
  const choiceOf = ({ kind, choices }: Belongings) => chosen[kind] ?? choices[0] ?? 'end'
  const choices = Object.fromEntries(belongings.map((each) => [each.kind, choiceOf(each)]))
  const needsReceiver = Object.values(choices).includes('transfer')
  const isIncomplete = needsReceiver && transferTo === undefined

  const submit = () => {
    setSubmitted(true)
    if (isIncomplete || remove.isPending) return
    const receiver = needsReceiver && transferTo !== undefined ? { transferTo } : {}
    remove.mutate(
      { params: { id: member.id }, body: { choices, ...receiver } },
      {
        onSuccess: () => {
          toast('success', `${member.name} is removed`)
          onClose()
        },
      },
    )
  }
  return (
    <div className="flex flex-col gap-4 pb-1">
      {belongings.length === 0 ? (
        <p className="text-text-2">
          Nothing here belongs to {member.name} alone: there is nothing to decide.
        </p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {belongings.map((each) => (
            <BelongingRow
              key={each.kind}
              belongings={each}
              choice={choiceOf(each)}
              onChange={(choice) => setChosen({ ...chosen, [each.kind]: choice })}
            />
          ))}
        </ul>
      )}
      {needsReceiver ? (
        <MemberPicker
          label="Transfer to"
          exceptId={member.id}
          value={transferTo}
          onChange={setTransferTo}
          error={wasSubmitted && isIncomplete ? 'Choose who receives what is transferred.' : undefined}
        />
      ) : null}
      {remove.error ? (
        <Notice tone="danger" title={`${member.name} was not removed`}>
          {causeOf(remove.error)}
        </Notice>
      ) : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger" busy={remove.isPending} disabledReason={stale} onClick={submit}>
          Remove {member.name}
        </Button>
      </div>
    </div>
  )
}

interface BelongingRowProps {
  belongings: Belongings
  choice: BelongingChoice
  onChange: (choice: BelongingChoice) => void
}

function BelongingRow({ belongings, choice, onChange }: BelongingRowProps) {
  const { label, hint, total, items, choices } = belongings
  const names = items.slice(0, 3).map(({ name, detail }) => (detail ? `${name} (${detail})` : name))
  const more = total - names.length
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-2.5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium">
          {label} <span className="font-normal text-text-2 tabular-nums">{total}</span>
        </p>
        <p className="break-words text-small text-text-2">
          {names.join(', ')}
          {more > 0 ? ` and ${formatCount(more, 'more', 'more')}` : ''}
        </p>
        <p className="text-small text-text-3">{hint}</p>
      </div>
      {choices.length > 1 ? (
        <Segmented
          label={`What becomes of ${label.toLowerCase()}`}
          options={choices.map((value) => ({ value, label: choiceLabels[value] }))}
          value={choice}
          onChange={onChange}
        />
      ) : (
        <span className="text-small text-text-2">{choiceLabels[choice]}</span>
      )}
    </li>
  )
}
