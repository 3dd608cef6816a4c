import { boardBounds } from '@bey/contract'
import { useState } from 'react'
import { useChange } from '../../data/use-change.ts'
import { errorText } from '../../lib/error-text.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { boardHref } from './board-switcher.tsx'

/** Creates a board from JSON that Bey or Grafana exported, and names what was not taken over. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const [source, setSource] = useState('')
  const load = useChange('boards.import')
  const failure = load.error ? errorText('The board was not imported', load.error) : undefined
  const { data } = load
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={data ? `"${data.board.name}" was imported` : 'Import a board'}
      description={
        data
          ? 'What could not be taken over is listed here.'
          : 'The JSON of a board that Bey exported, or of a Grafana dashboard with PromQL.'
      }
      footer={
        data ? (
          <ButtonLink variant="primary" href={boardHref(data.board.id)} onClick={onClose}>
            Open the board
          </ButtonLink>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              variant="primary"
              busy={load.isPending}
              disabledReason={source.trim() === '' ? 'Choose a file or paste its text.' : undefined}
              onClick={() => load.mutate({ body: { source } })}
            >
              Import board
            </Button>
          </>
        )
      }
    >
      {data ? (
        data.notes.length === 0 ? (
          <p>Every panel was taken over.</p>
        ) : (
          <ul className="flex max-h-72 list-disc flex-col gap-1 overflow-auto pl-5">
            {data.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )
      ) : (
        <div className="flex flex-col gap-3">
          <input
            type="file"
            accept="application/json,.json"
            aria-label="File"
            onChange={(event) => {
              const [file] = event.target.files ?? []
              if (file) void file.text().then(setSource)
            }}
          />
          <Field label="JSON">
            {(control) => (
              <TextArea
                {...control}
                rows={8}
                maxLength={boardBounds.maxImportLength}
                className="font-mono text-small"
                value={source}
                onChange={(event) => setSource(event.target.value)}
              />
            )}
          </Field>
          {failure ? (
            <Notice tone="danger" title={failure.title}>
              {failure.detail}
            </Notice>
          ) : null}
        </div>
      )}
    </Dialog>
  )
}
