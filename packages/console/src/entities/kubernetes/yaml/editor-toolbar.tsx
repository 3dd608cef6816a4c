import { nextDiagnostic, previousDiagnostic } from '@codemirror/lint'
import { openSearchPanel } from '@codemirror/search'
import type { EditorView } from '@codemirror/view'
import { ChevronDown, ChevronUp, Search } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { Select } from '../../../ui/select.tsx'

export interface EditorToolbarProps {
  /** Null while there is no editor to act on. */
  view: EditorView | null
  isWhole: boolean
  onWhole: (isWhole: boolean) => void
  /** Why the other fields cannot be shown now. */
  wholeReason: string | undefined
  isMerging: boolean
}

/** Above the YAML of an object: which fields, search, and the way from problem to problem. */
export function EditorToolbar({ view, isWhole, onWhole, wholeReason, isMerging }: EditorToolbarProps) {
  const act = (command: (target: EditorView) => boolean) => () => {
    if (!view) return
    view.focus()
    command(view)
  }
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line px-(--gutter) py-2">
      <Select
        aria-label="Fields"
        controlSize="small"
        value={isWhole ? 'whole' : 'desired'}
        disabled={wholeReason !== undefined}
        title={wholeReason}
        onChange={(event) => onWhole(event.target.value === 'whole')}
        options={[
          { value: 'desired', label: 'Desired fields' },
          { value: 'whole', label: 'All, with managedFields' },
        ]}
      />
      <Button size="small" icon={<Search size={14} aria-hidden />} onClick={act(openSearchPanel)}>
        Find
      </Button>
      {isMerging ? (
        <ul aria-label="Marks" className="flex flex-wrap gap-x-3 text-small text-text-2">
          <li className="flex items-center gap-1.5">
            <span aria-hidden className="h-3 w-1 bg-info" /> live, merged in
          </li>
          <li className="flex items-center gap-1.5">
            <span aria-hidden className="h-3 w-1 bg-warn" /> conflict
          </li>
        </ul>
      ) : null}
      <span className="ml-auto flex items-center gap-1">
        <Button
          size="small"
          variant="ghost"
          icon={<ChevronUp size={14} aria-hidden />}
          onClick={act(previousDiagnostic)}
        >
          Previous
        </Button>
        <Button
          size="small"
          variant="ghost"
          icon={<ChevronDown size={14} aria-hidden />}
          onClick={act(nextDiagnostic)}
        >
          Next problem
        </Button>
      </span>
    </div>
  )
}
