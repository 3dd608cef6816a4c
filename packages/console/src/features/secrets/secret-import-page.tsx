import type { SecretTransferFormat } from '@bey/contract'
import { deniedReason, secretLimits, secretTransferFormats } from '@bey/contract'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import type { SecretsToImport } from '../../data/secret-transfer.ts'
import { useImportSecrets, usePreviewImport } from '../../data/secret-transfer.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { causeOf, fieldErrorListOf } from '../../lib/error-text.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FileText } from '../../ui/file-text.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Select } from '../../ui/select.tsx'
import { detectFormat, formatLabels } from './import-format.ts'
import { ImportPreview, storedCount } from './import-preview.tsx'
import { ImportResult } from './import-result.tsx'

type Draft = Required<Pick<SecretsToImport, 'text' | 'prefix' | 'onExisting'>> & {
  /** Chosen by hand; found in the text otherwise. */
  format: SecretTransferFormat | undefined
}

const emptyDraft: Draft = { text: '', prefix: '', onExisting: 'skip', format: undefined }

const existingOptions = [
  { value: 'skip', label: 'Skip it' },
  { value: 'version', label: 'Store the value as a new version' },
  { value: 'refuse', label: 'Import nothing at all' },
]

/** Moves the values of a file in. The text stays in this form until it is sent, and no reply repeats a value. */
export function SecretImportPage() {
  const [draft, setDraft] = useState(emptyDraft)
  const [choices, setChoices] = useState<Record<string, 'store' | 'skip'>>({})
  const preview = usePreviewImport()
  const store = useImportSecrets()
  const denied = deniedReason(useRole(), 'secrets.create')
  const stale = useStaleReason()
  const isDone = store.data?.isApplied === true
  const saved = useUnsaved(draft.text !== '' && !isDone ? 'the secrets that you import' : undefined)
  const format = draft.format ?? detectFormat(draft.text)
  const input: SecretsToImport = { ...draft, format, choices }
  const problems = fieldErrorListOf(preview.error)
  const failure = preview.error && problems.length === 0 ? causeOf(preview.error) : undefined

  const change = (part: Partial<Draft>) => {
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
    store.mutate(input, {
      onSuccess: ({ isApplied }) => {
        if (!isApplied) return preview.mutate(input)
        saved()
        setDraft(emptyDraft)
      },
    })
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
          <FileText
            label="Text"
            hint="Paste it, drop a file, or choose one. It is kept nowhere until you import."
            value={draft.text}
            accept=".env,.yaml,.yml,.json,.txt,text/*"
            maxBytes={secretLimits.importBytes}
            onChange={(text) => change({ text, format: undefined })}
          />
          <div className="grid gap-5 sm:grid-cols-2">
            <Field label="Format" aside={draft.format === undefined && draft.text ? 'found in the text' : ''}>
              {(control) => (
                <Select
                  {...control}
                  className="w-full"
                  value={format}
                  options={secretTransferFormats.map((value) => ({ value, label: formatLabels[value] }))}
                  onChange={(event) => change({ format: event.target.value as SecretTransferFormat })}
                />
              )}
            </Field>
            <Field label="Prefix" required={false} hint="In front of each name: shop/">
              {(control) => (
                <Input
                  {...control}
                  value={draft.prefix}
                  maxLength={100}
                  autoComplete="off"
                  spellCheck={false}
                  onChange={(event) => change({ prefix: event.target.value })}
                />
              )}
            </Field>
          </div>
          <Field label="Where a name is taken">
            {(control) => (
              <Select
                {...control}
                className="w-full"
                value={draft.onExisting}
                options={existingOptions}
                onChange={(event) => change({ onExisting: event.target.value as Draft['onExisting'] })}
              />
            )}
          </Field>
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
          {problems.length > 0 ? (
            <Notice tone="danger" title="The text cannot be read">
              <ul>
                {problems.map((problem) => (
                  <li key={problem}>{problem}</li>
                ))}
              </ul>
            </Notice>
          ) : null}
          {failure ? (
            <Notice tone="danger" title="There is no preview">
              {failure}
            </Notice>
          ) : null}
          {store.error ? (
            <Notice tone="danger" title="Nothing was imported">
              {causeOf(store.error)}
            </Notice>
          ) : null}
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
