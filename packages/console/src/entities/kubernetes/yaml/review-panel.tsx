import type { Cluster, ObjectDetail } from '@bey/contract'
import { useDeferredValue, useMemo } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { DiffLines } from '../../../ui/diff-lines.tsx'
import { keyText } from '../../../ui/key-hint.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/section.tsx'
import { momentText } from '../../../ui/time-text.ts'
import { consequencesOf } from './change-consequences.ts'
import { ownerText } from './describe-lines.ts'
import { diffText } from './diff-text.ts'
import { DryRunSection } from './dry-run-section.tsx'
import { ownersOf } from './field-owners.ts'
import { parseManifest } from './manifest-documents.ts'
import { changesBetween, changeText } from './object-changes.ts'
import type { FieldChange } from './object-changes.ts'
import { objectText, withMaskedValues } from './object-text.ts'
import type { useObjectEdit } from './use-object-edit.ts'

export interface ReviewPanelProps {
  cluster: Cluster
  detail: ObjectDetail
  edit: ReturnType<typeof useObjectEdit>
  denied: string | undefined
  stale: string | undefined
  isWhole: boolean
  onSubmit: () => void
}

const maxListed = 30

/** Beside the text: what was changed, what the others did, what will happen, and the one button that does it. */
export function ReviewPanel(props: ReviewPanelProps) {
  const { edit, denied, detail, cluster } = props
  const { review, refusal } = edit
  return (
    <div className="flex min-w-0 flex-col lg:h-[calc(100dvh-12rem)]">
      <div className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto p-4">
        {denied ? (
          <Notice tone="info" title="You can view this object, but not change it">
            {denied}
          </Notice>
        ) : null}
        {refusal?.message ? (
          <Notice tone="danger" title={`${cluster.title} refuses this`}>
            {refusal.message}
          </Notice>
        ) : null}
        {edit.isBehind && !review ? (
          <Notice
            tone="warn"
            title="It changed while you edited"
            actions={
              <Button size="small" onClick={edit.mergeNow}>
                Merge
              </Button>
            }
          >
            Merging keeps your changes and asks where both of you changed the same.
          </Notice>
        ) : null}
        {edit.merged.length > 0 ? <MergeSection edit={edit} object={detail.object} /> : null}
        {review ? (
          <>
            <DryRunSection cluster={cluster} review={review} />
            <DiffSection {...props} review={review} />
          </>
        ) : denied ? null : (
          <OwnChanges edit={edit} />
        )}
      </div>
      {denied ? null : <Actions {...props} />}
    </div>
  )
}

function Actions({ cluster, detail, edit, stale, isWhole, onSubmit }: ReviewPanelProps) {
  const { review, isDirty, openConflicts } = edit
  const reason =
    stale ??
    (isWhole ? 'Choose Desired fields to edit.' : undefined) ??
    (isDirty ? undefined : 'Nothing is changed yet.') ??
    (openConflicts > 0
      ? `${formatCount(openConflicts, 'conflict')} ${openConflicts === 1 ? 'is' : 'are'} not answered yet.`
      : undefined)
  const label = review ? consequencesOf(review.live, review.after, review.changes).action : 'Review changes'
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2 border-t border-line p-4 pb-9">
      <KubectlLine cluster={cluster} detail={detail} />
      <div className="flex gap-2">
        <Button
          variant="primary"
          className="flex-1"
          busy={edit.isBusy}
          disabledReason={reason}
          onClick={onSubmit}
        >
          {label} <span className="text-meta font-normal">{keyText(['Mod', 'Enter'])}</span>
        </Button>
        <Button disabledReason={isDirty ? undefined : 'Nothing is changed yet.'} onClick={edit.reset}>
          Discard
        </Button>
      </div>
      {reason && isDirty ? <p className="text-small text-text-2">{reason}</p> : null}
    </div>
  )
}

function KubectlLine({ cluster, detail }: Pick<ReviewPanelProps, 'cluster' | 'detail'>) {
  const metadata = detail.object['metadata'] as { name?: string; namespace?: string } | undefined
  const scope = metadata?.namespace ? ` -n ${metadata.namespace}` : ''
  const line = `kubectl --context bey-${cluster.title}${scope} edit ${detail.resource.resource}/${metadata?.name ?? ''}`
  return (
    <div className="flex items-center gap-2 rounded-control border border-line bg-sunken py-0.5 pr-1 pl-2.5">
      <code className="min-w-0 flex-1 truncate font-mono text-small text-text-2">{line}</code>
      <CopyButton text={line} label="Copy command" />
    </div>
  )
}

/** Before the cluster was asked: what the text changes. */
function OwnChanges({ edit }: Pick<ReviewPanelProps, 'edit'>) {
  const text = useDeferredValue(edit.text)
  const changes = useMemo(() => {
    const [document] = parseManifest(text).documents
    return document ? changesBetween(withMaskedValues(edit.base), withMaskedValues(document.object)) : []
  }, [text, edit.base])
  if (!edit.isDirty || changes.length === 0) {
    return (
      <p className="text-text-2">
        Change the text, then review what the cluster makes of it: nothing is applied before you have seen it.
      </p>
    )
  }
  return (
    <Section title="Your changes" aside={formatCount(changes.length, 'field')}>
      <ChangeList changes={changes} by={() => 'yours'} />
    </Section>
  )
}

function MergeSection({ edit, object }: { edit: ReviewPanelProps['edit']; object: ObjectDetail['object'] }) {
  const answered = edit.answeredConflicts().length
  const decided = answered > 0 ? `, ${answered} decided by you` : ''
  const open = edit.openConflicts > 0 ? `, ${edit.openConflicts} to answer` : ''
  return (
    <Section title="Merge" aside={`${edit.merged.length} changed live${decided}${open}`}>
      <ChangeList changes={edit.merged} by={({ path }) => ownerText(ownersOf(object, path)[0])} />
    </Section>
  )
}

function ChangeList({
  changes,
  by,
}: {
  changes: readonly FieldChange[]
  by: (change: FieldChange) => string
}) {
  return (
    <ul className="grid gap-2">
      {changes.slice(0, maxListed).map((change) => (
        <li key={change.label} className="min-w-0 border-l-2 border-line-strong pl-2.5">
          <span className="flex justify-between gap-3">
            <code className="min-w-0 truncate font-mono text-small" data-tooltip={change.label}>
              {change.label.split('.').slice(-2).join('.')}
            </code>
            <span className="shrink-0 text-small text-text-2">{by(change)}</span>
          </span>
          <code className="block font-mono text-small break-all text-text-2">{changeText(change)}</code>
        </li>
      ))}
      {changes.length > maxListed ? (
        <li className="text-small text-text-2">
          and {formatCount(changes.length - maxListed, 'more field')}
        </li>
      ) : null}
    </ul>
  )
}

function DiffSection({ review }: { review: NonNullable<ReviewPanelProps['edit']['review']> }) {
  const diff = useMemo(
    () => diffText(objectText(withMaskedValues(review.live)), objectText(withMaskedValues(review.after))),
    [review],
  )
  return (
    <Section title="Diff to live" aside={`+${diff.added} −${diff.removed}, as of ${momentText(review.at)}`}>
      <DiffLines label="Changed lines" lines={diff.lines} />
    </Section>
  )
}
