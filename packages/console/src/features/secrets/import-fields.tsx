import type { SecretTransferFormat } from '@bey/contract'
import { secretLimits, secretTransferFormats } from '@bey/contract'
import type { SecretsToImport } from '../../data/secret-transfer.ts'
import { Field } from '../../ui/field.tsx'
import { FileText } from '../../ui/file-text.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { formatLabels } from './import-format.ts'

export type ImportDraft = Required<Pick<SecretsToImport, 'text' | 'prefix' | 'onExisting'>> & {
  /** Chosen by hand; found in the text otherwise. */
  format: SecretTransferFormat | undefined
}

const existingOptions = [
  { value: 'skip', label: 'Skip it' },
  { value: 'version', label: 'Store the value as a new version' },
  { value: 'refuse', label: 'Import nothing at all' },
]

interface ImportFieldsProps {
  draft: ImportDraft
  /** Chosen, or found in the text. */
  format: SecretTransferFormat
  onChange: (part: Partial<ImportDraft>) => void
}

/** The text, how to read it, and what happens to names that are taken. */
export function ImportFields({ draft, format, onChange }: ImportFieldsProps) {
  return (
    <>
      <FileText
        label="Text"
        hint="Paste it, drop a file, or choose one. It is kept nowhere until you import."
        value={draft.text}
        accept=".env,.yaml,.yml,.json,.txt,text/*"
        maxBytes={secretLimits.importBytes}
        onChange={(text) => onChange({ text, format: undefined })}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Format" aside={draft.format === undefined && draft.text ? 'found in the text' : ''}>
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={format}
              options={secretTransferFormats.map((value) => ({ value, label: formatLabels[value] }))}
              onChange={(event) => onChange({ format: event.target.value as SecretTransferFormat })}
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
              onChange={(event) => onChange({ prefix: event.target.value })}
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
            onChange={(event) => onChange({ onExisting: event.target.value as ImportDraft['onExisting'] })}
          />
        )}
      </Field>
    </>
  )
}
