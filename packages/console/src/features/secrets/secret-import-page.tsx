import { deniedReason } from '@bey/contract'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import type { SecretsToImport } from '../../data/secret-transfer.ts'
import { usePreviewImport } from '../../data/secret-transfer.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { ImportFields } from './import-fields.tsx'
import type { ImportDraft } from './import-fields.tsx'
import { detectFormat } from './import-format.ts'
import { ImportPreview, storedCount } from './import-preview.tsx'
import { ImportProblems } from './import-problems.tsx'
import { ImportResult } from './import-result.tsx'

const emptyDraft: ImportDraft = { text: '', prefix: '', onExisting: 'skip', format: undefined }

/** Moves the values of a file in. The text stays in this form until it is sent, and no reply repeats a value. */
export function SecretImportPage() {
  const [draft, setDraft] = useState(emptyDraft)
  const [choices, setChoices] = useState<Record<string, 'store' | 'skip'>>({})
  const preview = usePreviewImport()
  const store = useChange('secrets.import', { isSecret: true })
  const denied = deniedReason(useRole(), 'secrets.create')
  const stale = useStaleReason()
  const isDone = store.data?.isApplied === true
  const saved = useUnsaved(draft.text !== '' && !isDone ? 'the secrets that you import' : undefined)
  const format = draft.format ?? detectFormat(draft.text)
  const input: SecretsToImport = { ...draft, format, choices }

  const change = (part: Partial<ImportDraft>) => {
    setDraft({ ...draft, ...part })
    setChoices({})
    preview.reset()
    store.reset()
  }
  const choose = (name: string, choice: 'store' | 'skip') => {
    const next = { ...choices, [name]: choice }
    setChoices(next)
    store.reset()
    preview.mutate({ ...input, choices: next })
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (draft.text.trim() !== '' && !preview.isPending) preview.mutate(input)
  }
  const importAll = () =>
    store.mutate(
      { body: input },
      {
        onSuccess: ({ isApplied }) => {
          if (!isApplied) return preview.mutate(input)
          saved()
          setDraft(emptyDraft)
        },
      },
    )
  if (isDone && store.data) {
    return (
      <>
        <PageHeader title="Import secrets" description="Everything is stored." />
        <ImportResult
          rows={store.data.rows}
          onMore={() => {
            store.reset()
            preview.reset()
            setChoices({})
          }}
        />
      </>
    )
  }
  const rows = preview.data?.rows
  const count = rows ? storedCount(rows) : 0
  return (
    <>
      <PageHeader
        title="Import secrets"
        description="From an .env file, YAML or Kubernetes manifests. All entries are stored, or none."
      />
      <div className="grid items-start gap-x-10 gap-y-8 px-(--gutter) py-6 xl:grid-cols-[minmax(0,32rem)_minmax(0,1fr)]">
        <form aria-label="File" className="flex min-w-0 flex-col gap-5" onSubmit={submit}>
          {denied ? (
            <Notice tone="warn" title="You can look, but not import">
              {denied}
            </Notice>
          ) : null}
          <ImportFields draft={draft} format={format} onChange={change} />
          <div>
            <Button
              type="submit"
              variant={rows ? 'secondary' : 'primary'}
              busy={preview.isPending}
              disabled={draft.text.trim() === ''}
              disabledReason={denied ?? stale}
            >
              Preview
            </Button>
          </div>
        </form>
        <div className="flex min-w-0 flex-col gap-5">
          <ImportProblems previewError={preview.error} importError={store.error} />
          <ImportPreview rows={rows} onChoose={choose} />
          {rows ? (
            <div className="flex flex-wrap justify-end gap-2">
              <ButtonLink href="/secrets">Cancel</ButtonLink>
              <Button
                variant="primary"
                busy={store.isPending}
                disabledReason={denied ?? stale ?? blockOf(rows, count)}
                onClick={importAll}
              >
                {count === 1 ? 'Import 1 secret' : `Import ${count} secrets`}
              </Button>
            </div>
          ) : null}
        </div>
      </div>
    </>
  )
}

function blockOf(rows: readonly { outcome: string }[], count: number): string | undefined {
  const refused = rows.filter(({ outcome }) => outcome === 'refused').length
  if (refused > 0)
    return `${refused === 1 ? 'One entry is' : `${refused} entries are`} refused. Skip or mend what is refused.`
  return count === 0 ? 'Nothing of this file would be stored.' : undefined
}
