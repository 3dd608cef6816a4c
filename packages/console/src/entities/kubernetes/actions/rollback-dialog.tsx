import { diffLines } from 'diff'
import { useMemo, useState } from 'react'
import { useClusterAct, useClusterRead } from '../../../data/kubernetes-proxy.ts'
import { formatCount } from '../../../lib/format.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import type { ActionDialogProps } from './action-dialog.tsx'
import { placeText, Waiting } from './action-dialog.tsx'
import { ActionForm } from './action-form.tsx'
import type { ActionTarget } from './action.ts'
import { asActionObject } from './action-object.ts'
import { LineDiff } from './line-diff.tsx'
import { objectLines } from './object-lines.ts'
import { rollBack } from './roll-back.ts'
import type { Revision } from './revisions.ts'
import { revisionsOf, revisionsRequest, rollbackLine, versionOf } from './revisions.ts'
import { useTarget } from './use-target.ts'

type RollbackProps = Omit<ActionDialogProps, 'action'>

/** Shows the revisions of a workload and what would change, and puts an earlier one in place. */
export function RollbackDialog(props: RollbackProps) {
  const { address, onClose } = props
  const { target, failure } = useTarget(address)
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Roll ${address.name} back?`}
      description={placeText(address)}
      size="wide"
      isModalStrict
    >
      {target ? <Revisions {...props} target={target} /> : <Waiting failure={failure} />}
    </Dialog>
  )
}

function Revisions(props: RollbackProps & { target: ActionTarget }) {
  const [target] = useState(props.target)
  const [request] = useState(() => revisionsRequest(target))
  const read = useClusterRead(target.clusterId, request)
  const revisions = useMemo(
    () => (read.data ? revisionsOf(target, asActionObject(read.data)) : undefined),
    [target, read.data],
  )
  if (!revisions) return <Waiting failure={read.error?.message} />
  const current = revisions.find((each) => each.isCurrent)
  const earlier = revisions.filter((each) => !each.isCurrent)
  if (!current || earlier.length === 0)
    return <p className="text-text-2">It has one revision only, so there is nothing to roll back to.</p>
  return <RevisionForm {...props} target={target} current={current} revisions={revisions} />
}

function RevisionForm({
  target,
  current,
  revisions,
  onClose,
  onDone,
}: RollbackProps & { target: ActionTarget; current: Revision; revisions: readonly Revision[] }) {
  const [chosen, setChosen] = useState(() => revisions.find((each) => !each.isCurrent)?.number ?? 0)
  const revision = revisions.find((each) => each.number === chosen) ?? current
  const act = useClusterAct((to: Revision) => rollBack(target, to))
  const kubectl = rollbackLine(target, revision)
  return (
    <ActionForm
      action={`Roll back to ${nameOf(revision, current)}`}
      keep={`Keep ${nameOf(current, revision)}`}
      isBusy={act.isPending}
      error={act.error}
      kubectl={kubectl}
      onClose={onClose}
      onSubmit={() =>
        act.mutate(revision, {
          onSuccess: () => onDone({ text: 'Rollback begun', kubectl, next: undefined }),
        })
      }
    >
      <fieldset className="min-w-0 divide-y divide-line rounded-control border border-line">
        <legend className="sr-only">Revision to roll back to</legend>
        {revisions.map((each) => (
          <RevisionRow
            key={each.number}
            revision={each}
            isChosen={each.number === chosen}
            onChoose={() => setChosen(each.number)}
          />
        ))}
      </fieldset>
      <p className="text-text-2">{podsText(target, revision, revisions)}</p>
      <LineDiff
        label={`What changes from revision ${current.number} to ${revision.number}`}
        parts={diffLines(objectLines(current.template), objectLines(revision.template))}
      />
    </ActionForm>
  )
}

function RevisionRow({
  revision,
  isChosen,
  onChoose,
}: {
  revision: Revision
  isChosen: boolean
  onChoose: () => void
}) {
  const { number, isCurrent, images, changeCause, createdAt, pods } = revision
  return (
    <label className="flex items-baseline gap-x-3 px-3 py-1.5 max-md:flex-wrap has-disabled:text-text-3">
      <input
        type="radio"
        name="revision"
        checked={isChosen}
        disabled={isCurrent}
        onChange={onChoose}
        data-initial-focus={isChosen ? '' : undefined}
      />
      <span className="w-8 font-medium tabular-nums">{number}</span>
      <span className="min-w-0 flex-1 max-md:basis-48">
        <span className="block font-mono text-small wrap-anywhere">{images.join(', ')}</span>
        {changeCause ? <span className="block break-words text-small text-text-2">{changeCause}</span> : null}
      </span>
      <span className="text-small text-text-2 max-md:basis-full max-md:pl-17">
        {isCurrent ? 'current · ' : ''}
        {pods ? `${formatCount(pods, 'pod')} · ` : ''}
        <RelativeTime at={createdAt ?? null} />
      </span>
    </label>
  )
}

/** The version where the images differ, else the number. */
function nameOf(revision: Revision, other: Revision): string {
  const [image = ''] = revision.images
  const isTelling = revision.images.length === 1 && image !== other.images[0] && image !== ''
  return isTelling ? versionOf(image) : `revision ${revision.number}`
}

function podsText({ object }: ActionTarget, revision: Revision, revisions: readonly Revision[]): string {
  if (revision.pods === undefined) return 'Its pods are replaced, one after the other.'
  const going = revisions
    .filter((each) => each.number !== revision.number)
    .reduce((sum, each) => sum + (each.pods ?? 0), 0)
  const coming = Math.max(0, (object.spec?.replicas ?? 1) - revision.pods)
  const parts = [
    going > 0 ? `${formatCount(going, 'pod')} ${going === 1 ? 'goes' : 'go'}` : '',
    coming > 0 ? `${coming} new ${coming === 1 ? 'one comes' : 'ones come'}` : '',
    revision.pods > 0 ? `${revision.pods} ${revision.pods === 1 ? 'stays' : 'stay'}` : '',
  ].filter(Boolean)
  return parts.length === 0 ? 'It has no pods at the moment.' : `${parts.join(', ')}.`
}
