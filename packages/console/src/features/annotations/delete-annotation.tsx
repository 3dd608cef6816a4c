import type { Annotation } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

export interface DeleteAnnotationProps {
  note: Annotation
  onDeleted: () => void
}

/** The button that deletes a note, and the question before it. */
export function DeleteAnnotation({ note, onDeleted }: DeleteAnnotationProps) {
  const [isAsking, setAsking] = useState(false)
  const refusal = deniedReason(useRole(), 'annotations.delete')
  const stale = useStaleReason()
  return (
    <>
      <Button
        size="small"
        icon={<Trash2 size={14} aria-hidden />}
        disabledReason={refusal ?? stale}
        onClick={() => setAsking(true)}
      >
        Delete
      </Button>
      {isAsking ? (
        <DeleteAnnotationDialog note={note} onClose={() => setAsking(false)} onDeleted={onDeleted} />
      ) : null}
    </>
  )
}

export function DeleteAnnotationDialog({
  note,
  onClose,
  onDeleted,
}: DeleteAnnotationProps & { onClose: () => void }) {
  const remove = useChange('annotations.delete')
  const failure = remove.error ? errorText('Failed to delete annotation', remove.error) : undefined
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Are you sure you want to delete this annotation?"
      name={note.annotationText.length > 120 ? `${note.annotationText.slice(0, 120)}…` : note.annotationText}
      impact={note.replyCount > 0 ? [formatCount(note.replyCount, 'reply', 'replies')] : []}
      action="Delete annotation"
      busy={remove.isPending}
      error={failure ? [failure.title, failure.detail].filter(Boolean).join(': ') : undefined}
      onConfirm={() =>
        remove.mutate(
          { params: { id: note.id } },
          {
            onSuccess: () => {
              onClose()
              onDeleted()
            },
          },
        )
      }
    />
  )
}
