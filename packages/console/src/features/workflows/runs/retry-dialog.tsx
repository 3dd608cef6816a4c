import { useState } from 'react'
import type { RunDetail } from '../../../data/workflows.ts'
import { fieldsOf } from '../schema-form/field-schema.ts'
import { FreeField } from '../schema-form/free-field.tsx'
import { SchemaFields } from '../schema-form/schema-fields.tsx'
import { errorMessage, fieldErrorsOf } from '../../../lib/error-text.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'

/** Starts a run anew with other input than it had. */
export function RetryDialog({
  detail: { run, workflow },
  isBusy,
  error,
  onClose,
  onRetry,
}: {
  detail: RunDetail
  isBusy: boolean
  error: unknown
  onClose: () => void
  onRetry: (input: Record<string, unknown>) => void
}) {
  const [values, setValues] = useState<Record<string, unknown>>(run.input)
  const errors = fieldErrorsOf(error)
  const hasFields = fieldsOf(workflow.inputSchema).length > 0
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Retry with edited input"
      description="A new run from the start. Nothing of this run changes."
      isModalStrict
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={isBusy} onClick={() => onRetry(values)}>
            Start the run
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4 p-0.5">
        {error ? (
          <p role="alert" className="text-danger">
            {errorMessage(error, 'Failed to retry workflow run')}
          </p>
        ) : null}
        {hasFields ? (
          <SchemaFields
            schema={workflow.inputSchema}
            values={values}
            onChange={(name, value) => setValues((known) => ({ ...known, [name]: value }))}
            errorOf={(name) => errors[`input.${name}`]}
          />
        ) : (
          <FreeField
            label="Input"
            hint="JSON. This workflow declares no fields."
            value={values}
            onChange={(value) => setValues(isObject(value) ? value : {})}
          />
        )}
      </div>
    </Dialog>
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
