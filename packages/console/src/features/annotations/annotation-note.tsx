import type { Actor, AnnotationDetail } from '@bey/contract'
import { annotationLimits, deniedReason } from '@bey/contract'
import { Check, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useRole, useUser } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useRead } from '../../data/use-read.ts'
import { useChange } from '../../data/use-change.ts'
import { errorText } from '../../lib/error-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import { DeleteAnnotation } from './delete-annotation.tsx'
import { WriteForm } from './write-form.tsx'
import { ActorName } from '../../entities/actor-name.tsx'

export interface AnnotationNoteProps {
  id: string
  onDeleted: () => void
}

/** A note with its replies, and everything that can be done with it. */
export function AnnotationNote({ id, onDeleted }: AnnotationNoteProps) {
  const query = useRead('annotations.get', { params: { id } })
  if (query.data) return <Note note={query.data} onDeleted={onDeleted} />
  const failure = failureOf('Failed to fetch annotations', query)
  return failure ? <ErrorState {...failure} isCompact /> : <Skeleton className="h-24 w-full" />
}

function Note({ note, onDeleted }: { note: AnnotationDetail; onDeleted: () => void }) {
  const [isEditing, setEditing] = useState(false)
  const [isDeleted, setDeleted] = useState(false)
  const update = useChange('annotations.update')
  const userId = useUser()?.id
  const refusal = deniedReason(useRole(), 'annotations.update')
  const stale = useStaleReason()
  const isResolved = note.status === 'resolved'
  const authorOnly =
    note.userId === userId ? undefined : 'Only its author can change the text. Reply instead.'
  const leave = () => {
    // Its forms go first: nothing asks about what was typed in them.
    flushSync(() => setDeleted(true))
    onDeleted()
  }
  if (isDeleted) return null
  return (
    <>
      <SignedText by={note.createdBy} at={note.createdAt} aside={<Status status={note.status} />}>
        {isEditing ? (
          <WriteForm
            label="Your Annotation"
            initial={note.annotationText}
            maxLength={annotationLimits.text}
            action="Save"
            isBusy={update.isPending}
            lost="your change of the annotation"
            onCancel={() => setEditing(false)}
            onSubmit={(annotationText) =>
              update.mutate(
                { params: { id: note.id }, body: { annotationText } },
                { onSuccess: () => setEditing(false) },
              )
            }
          />
        ) : (
          <p className="break-words whitespace-pre-wrap">{note.annotationText}</p>
        )}
      </SignedText>
      {note.resolvedAt ? (
        <p className="text-small text-text-2">
          Resolved by {note.resolvedBy ? <ActorName actor={note.resolvedBy} /> : null}{' '}
          <RelativeTime at={note.resolvedAt} />
        </p>
      ) : null}
      {update.error ? (
        <ErrorState {...errorText('Failed to update annotation', update.error)} isCompact />
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          icon={isResolved ? <RotateCcw size={14} aria-hidden /> : <Check size={14} aria-hidden />}
          busy={update.isPending && !isEditing}
          disabledReason={refusal ?? stale}
          onClick={() =>
            update.mutate({ params: { id: note.id }, body: { status: isResolved ? 'open' : 'resolved' } })
          }
        >
          {isResolved ? 'Reopen' : 'Resolve'}
        </Button>
        <Button
          size="small"
          disabledReason={refusal ?? authorOnly ?? stale}
          disabled={isEditing}
          onClick={() => setEditing(true)}
        >
          Edit
        </Button>
        <DeleteAnnotation note={note} onDeleted={leave} />
      </div>
      <Replies note={note} />
    </>
  )
}

function Replies({ note }: { note: AnnotationDetail }) {
  const reply = useChange('annotations.reply')
  // A new form for the next reply, once this one is among the others.
  const [count, setCount] = useState(0)
  const isFull = note.replyCount >= annotationLimits.replies
  return (
    <>
      {note.replies.length > 0 ? (
        <ul aria-label="Replies" className="flex flex-col gap-3 border-l-2 border-line pl-3">
          {note.replies.map((each) => (
            <li key={each.id}>
              <SignedText by={each.createdBy} at={each.createdAt}>
                <p className="break-words whitespace-pre-wrap">{each.text}</p>
              </SignedText>
            </li>
          ))}
        </ul>
      ) : null}
      {isFull ? (
        <p className="text-small text-text-2">
          It has {annotationLimits.replies} replies, the most there can be.
        </p>
      ) : (
        <WriteForm
          key={count}
          label="Reply"
          maxLength={annotationLimits.reply}
          action="Reply"
          isBusy={reply.isPending}
          lost="your reply"
          onSubmit={(text) =>
            reply.mutate(
              { params: { id: note.id }, body: { text } },
              { onSuccess: () => setCount(count + 1) },
            )
          }
        />
      )}
      {reply.error ? <ErrorState {...errorText('Failed to add reply', reply.error)} isCompact /> : null}
    </>
  )
}

interface SignedTextProps {
  by: Actor
  at: string
  aside?: ReactNode
  children: ReactNode
}

function SignedText({ by, at, aside, children }: SignedTextProps) {
  return (
    <div>
      <p className="mb-1 flex items-baseline gap-2 text-small text-text-2">
        <span className="min-w-0 truncate font-medium text-text">
          <ActorName actor={by} />
        </span>
        <RelativeTime at={at} />
        {aside ? <span className="ml-auto">{aside}</span> : null}
      </p>
      {children}
    </div>
  )
}
