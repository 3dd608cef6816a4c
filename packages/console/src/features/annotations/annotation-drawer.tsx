import { Locate } from 'lucide-react'
import { ButtonLink } from '../../ui/button.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { AnnotationNote } from './annotation-note.tsx'
import { annotationHref } from './annotation-text.ts'
import { useRead } from '../../data/use-read.ts'

/** One note beside the list. */
export default function AnnotationDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: note } = useRead('annotations.get', { params: { id } })
  return (
    <Drawer
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={note?.componentName ?? 'Annotation'}
      description={note ? <code className="font-mono break-all">{note.url}</code> : undefined}
    >
      <div className="flex flex-col gap-4">
        {note ? (
          <ButtonLink
            href={annotationHref(note)}
            icon={<Locate size={14} aria-hidden />}
            className="self-start"
          >
            Show on its page
          </ButtonLink>
        ) : null}
        {note?.selectedText ? (
          <blockquote className="border-l-2 border-line-strong pl-3 break-words text-text-2">
            {note.selectedText}
          </blockquote>
        ) : null}
        <AnnotationNote id={id} onDeleted={onClose} />
      </div>
    </Drawer>
  )
}
