import { Bookmark, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator, MenuSub } from '../../../ui/menu.tsx'
import { useRunViews } from './run-views.ts'

const icon = { size: 14, 'aria-hidden': true } as const

/** Filters that were given a name in this browser. */
export function RunViewsMenu({ path, isFiltered }: { path: string; isFiltered: boolean }) {
  const { views, save, remove } = useRunViews()
  const [isNaming, setNaming] = useState(false)
  return (
    <>
      <Menu trigger={<Button icon={<Bookmark {...icon} />}>Views</Button>}>
        {views.length > 0 ? <MenuLabel>Saved in this browser</MenuLabel> : null}
        {views.map((view) => (
          <MenuItem key={view.name} href={view.search ? `${path}?${view.search}` : path}>
            {view.name}
          </MenuItem>
        ))}
        {views.length > 0 ? <MenuSeparator /> : null}
        <MenuItem
          icon={<Plus {...icon} />}
          disabledReason={isFiltered ? undefined : 'Set a filter first.'}
          onSelect={() => setNaming(true)}
        >
          Save this view…
        </MenuItem>
        {views.length > 0 ? (
          <MenuSub label="Remove" icon={<Trash2 {...icon} />}>
            {views.map(({ name }) => (
              <MenuItem key={name} onSelect={() => remove(name)}>
                {name}
              </MenuItem>
            ))}
          </MenuSub>
        ) : null}
      </Menu>
      {isNaming ? (
        <NameView
          onClose={() => setNaming(false)}
          onSave={(name) => save({ name, search: location.search.replace(/^\?/, '') })}
        />
      ) : null}
    </>
  )
}

function NameView({ onClose, onSave }: { onClose: () => void; onSave: (name: string) => void }) {
  const [name, setName] = useState('')
  const trimmed = name.trim()
  const submit = () => {
    if (!trimmed) return
    onSave(trimmed)
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Save this view"
      description="The filters and the order of the list, under a name in this browser. To share them, send the address."
      size="small"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabledReason={trimmed ? undefined : 'Enter a name.'} onClick={submit}>
            Save view
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Field label="Name">
          {(control) => (
            <Input
              {...control}
              maxLength={60}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
