import { useState } from 'react'
import { manifestTemplates } from './templates.ts'
import type { ManifestTemplate } from './templates.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Input } from '../../ui/input.tsx'

/** Templates to choose from by typing a part of their names; Enter takes the first. */
export function TemplateDialog({
  onClose,
  onChoose,
}: {
  onClose: () => void
  onChoose: (template: ManifestTemplate) => void
}) {
  const [query, setQuery] = useState('')
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = manifestTemplates.filter(({ label, description }) =>
    words.every((word) => `${label} ${description}`.toLowerCase().includes(word)),
  )
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())} title="Insert a template">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (found[0]) onChoose(found[0])
        }}
      >
        <Input
          aria-label="Search templates"
          placeholder="Deployment, cron job…"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      </form>
      <ul aria-label="Templates" className="mt-3 grid gap-px">
        {found.map((template) => (
          <li key={template.id}>
            <button
              type="button"
              className="w-full rounded-control px-2.5 py-1.5 text-left hover:bg-hover"
              onClick={() => onChoose(template)}
            >
              <span className="block font-medium">{template.label}</span>
              <span className="block text-small text-text-2">{template.description}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 ? <p className="mt-3 text-text-2">No template matches "{query}".</p> : null}
    </Dialog>
  )
}
