import type { Annotation } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { Check, Ellipsis, Locate, RotateCcw, Trash2 } from 'lucide-react'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { errorText } from '../../lib/error-text.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.ts'
import { annotationHref } from './annotation-text.ts'

const icon = { size: 14, 'aria-hidden': true } as const

/** Everything that can be done with one row of the list. */
export function AnnotationMenu({ note, onDelete }: { note: Annotation; onDelete: () => void }) {
  const navigate = useNavigate()
  const update = useChange('annotations.update')
  const role = useRole()
  const stale = useStaleReason()
  const isResolved = note.status === 'resolved'
  const move = () =>
    update.mutate(
      { params: { id: note.id }, body: { status: isResolved ? 'open' : 'resolved' } },
      {
        onError: (error) => {
          const { title, detail } = errorText('Failed to update annotation', error)
          toast('error', title, detail ? { description: detail } : {})
        },
      },
    )
  return (
    <Menu
      trigger={
        <IconButton
          label={`Actions for the annotation on ${note.componentName}`}
          size="small"
          icon={<Ellipsis size={16} aria-hidden />}
        />
      }
    >
      <MenuItem icon={<Locate {...icon} />} onSelect={() => void navigate({ href: annotationHref(note) })}>
        Show on its page
      </MenuItem>
      <MenuItem
        icon={isResolved ? <RotateCcw {...icon} /> : <Check {...icon} />}
        onSelect={move}
        disabledReason={deniedReason(role, 'annotations.update') ?? stale}
      >
        {isResolved ? 'Reopen' : 'Resolve'}
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<Trash2 {...icon} />}
        isDanger
        onSelect={onDelete}
        disabledReason={deniedReason(role, 'annotations.delete') ?? stale}
      >
        Delete
      </MenuItem>
    </Menu>
  )
}
