import { newIdempotencyKey } from '@bey/client'
import { annotationLimits } from '@bey/contract'
import { ChevronRight } from 'lucide-react'
import { useId, useMemo, useRef, useState } from 'react'
import type { SubmitEvent } from 'react'
import { useCreateAnnotation } from '../../data/annotations.ts'
import { useUser } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { causeOf, errorText } from '../../lib/error-text.ts'
import { log } from '../../lib/log.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { toast } from '../../ui/toast.ts'
import { pageUrl } from './page-url.ts'
import type { Targets, AnnotationLocation } from './selection.ts'
import { locationOf } from './selection.ts'

export interface AddAnnotationDialogProps {
  targets: Targets
  /** Another level of the hierarchy is selected. */
  onSelect: (targets: Targets) => void
  onClose: () => void
}

/** Says what was selected and takes the note. It closes when the note is saved or given up, and not otherwise. */
export default function AddAnnotationDialog({ targets, onSelect, onClose }: AddAnnotationDialogProps) {
  const [text, setText] = useState('')
  // Read once: the page may go on changing behind the dialog.
  const place = useMemo(() => locationOf(targets), [targets])
  const user = useUser()
  const create = useCreateAnnotation()
  const formId = useId()
  const trimmed = text.trim()
  const stale = useStaleReason()
  useUnsaved(trimmed === '' ? undefined : 'the annotation that you write')
  const attempt = useRef<{ note: string; idempotencyKey: string }>(undefined)
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    if (!user || trimmed === '' || create.isPending) return
    const body = {
      userId: user.id,
      componentName: place.componentName,
      xpath: place.xpath,
      ...(place.selectedText === undefined ? {} : { selectedText: place.selectedText }),
      annotationText: trimmed,
      url: pageUrl(),
      viewport: { width: innerWidth, height: innerHeight },
      elementRect: place.elementRect,
    }
    const note = JSON.stringify(body)
    // Tried again as it was it is the same note, even if the first answer was lost.
    if (attempt.current?.note !== note) attempt.current = { note, idempotencyKey: newIdempotencyKey() }
    create.mutate(
      { body, idempotencyKey: attempt.current.idempotencyKey },
      {
        onSuccess: () => {
          toast('success', 'Annotation saved', { description: 'Find it under Settings, Annotations.' })
          onClose()
        },
        onError: (error) => log('error', 'Failed to create annotation', causeOf(error)),
      },
    )
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => (open || create.isPending ? undefined : onClose())}
      title="Add Annotation"
      isModalStrict
      footer={
        <>
          <Button onClick={onClose} disabled={create.isPending}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            disabled={!user || trimmed === '' || create.isPending}
            disabledReason={stale}
          >
            {create.isPending ? 'Saving...' : 'Save Annotation'}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={save} className="flex flex-col gap-4">
        <LocationFacts targets={targets} place={place} onSelect={onSelect} />
        <Field label="Your Annotation">
          {(control) => (
            <TextArea
              {...control}
              data-initial-focus=""
              rows={5}
              maxLength={annotationLimits.text}
              placeholder="Describe what should be improved or changed..."
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        {create.error ? (
          <ErrorState {...errorText('Failed to create annotation', create.error)} isCompact />
        ) : null}
      </form>
    </Dialog>
  )
}

interface LocationProps {
  targets: Targets
  place: AnnotationLocation
  onSelect: (targets: Targets) => void
}

function LocationFacts({ targets, place, onSelect }: LocationProps) {
  const paths = place.xpath.split('\n')
  return (
    <dl className="flex flex-col gap-3">
      <div>
        <dt className="text-small text-text-2">Component</dt>
        <dd>
          {place.levels.length > 1 ? (
            <Hierarchy targets={targets} place={place} onSelect={onSelect} />
          ) : (
            <span className="font-medium break-words">{place.componentName}</span>
          )}
        </dd>
      </div>
      <div>
        <dt className="text-small text-text-2">{paths.length === 1 ? 'XPath' : `XPath (${paths.length})`}</dt>
        <dd>
          <pre
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by key
            tabIndex={0}
            className="mt-0.5 max-h-24 overflow-auto rounded-control border border-line bg-sunken px-2 py-1 font-mono text-small break-all whitespace-pre-wrap"
          >
            {place.xpath}
          </pre>
        </dd>
      </div>
      {place.selectedText === undefined ? null : (
        <div>
          <dt className="text-small text-text-2">Selected text</dt>
          <dd className="mt-0.5 line-clamp-3 border-l-2 border-line-strong pl-2.5 break-words">
            {place.selectedText}
          </dd>
        </div>
      )}
    </dl>
  )
}

/** The components around the element; each can be selected instead. */
function Hierarchy({ targets, place: { levels }, onSelect }: LocationProps) {
  const [selected] = targets.elements
  const innermost = targets.innermost ?? selected
  return (
    <span className="-ml-1 flex flex-wrap items-center gap-y-0.5">
      {levels.map(({ name, element }, index) => {
        const isSelected = element === selected || (index === levels.length - 1 && selected === innermost)
        return (
          <span key={index} className="flex items-center">
            {index > 0 ? <ChevronRight size={12} aria-hidden className="text-text-3" /> : null}
            <button
              type="button"
              aria-pressed={isSelected}
              data-tooltip={isSelected ? undefined : `Annotate ${name} instead`}
              onClick={() =>
                onSelect({ isArea: false, elements: [element], ...(innermost ? { innermost } : {}) })
              }
              className={cx(
                'min-h-6 rounded-badge px-1',
                isSelected ? 'font-medium' : 'text-text-2 hover:bg-hover hover:text-text',
              )}
            >
              {name}
            </button>
          </span>
        )
      })}
    </span>
  )
}
