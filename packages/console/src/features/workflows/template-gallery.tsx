import { deniedReason } from '@bey/contract'
import { useState } from 'react'
import { useRole } from '../../data/session.ts'
import { useWorkflowTemplates } from '../../data/workflow-authoring.ts'
import { StepIcon } from './graph/step-icon.tsx'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** Workflows to begin with; each opens in the editor, where nothing is saved yet. */
function TemplateGallery() {
  const templates = useWorkflowTemplates()
  const failure = failureOf('Failed to fetch workflow templates', templates)
  if (failure) return <ErrorState isCompact {...failure} />
  if (!templates.data) return <Skeleton className="h-40" />
  return (
    <ul aria-label="Workflow templates" className="grid grid-cols-1 gap-3 sm:grid-cols-2">
      {templates.data.templates.map(({ id, icon, definition: { name, description, steps } }) => (
        <li key={id}>
          <Link
            href={`/workflows/create?template=${id}`}
            className="flex h-full flex-col gap-1 rounded-control border border-line px-3 py-2.5 hover:bg-hover"
          >
            <span className="flex items-center gap-2 font-medium">
              <StepIcon name={icon} />
              {name}
            </span>
            <span className="text-text-2">{description}</span>
            <span className="mt-auto pt-1 text-small text-text-3">{formatCount(steps.length, 'step')}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** Opens the templates in a dialog. */
export function TemplatesButton({ label = 'Templates' }: { label?: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button disabledReason={deniedReason(useRole(), 'workflows.create')} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen ? (
        <Dialog
          open
          onOpenChange={setOpen}
          title="Templates"
          description="Each opens in the editor, where you change it before you save."
          size="wide"
        >
          <TemplateGallery />
        </Dialog>
      ) : null}
    </>
  )
}
