import { useState } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import type { ActionValues, ObjectAction } from './action.ts'
import { ActionFields, areValid, initialValues } from './action-fields.tsx'
import type { ActionAddress } from './run-action.ts'

const maxNamed = 8

/** Asks once before several objects are acted on, and names them. */
export function BulkDialog({
  action,
  addresses,
  onClose,
  onConfirm,
}: {
  action: ObjectAction
  addresses: readonly ActionAddress[]
  onClose: () => void
  onConfirm: (values: ActionValues) => void
}) {
  const fields = action.form === 'fields' ? (action.bulkFields ?? []) : []
  const [values, setValues] = useState(() => initialValues(fields))
  const named = addresses
    .slice(0, maxNamed)
    .map(({ namespace, name }) => (namespace ? `${namespace} / ${name}` : name))
  const rest = addresses.length - named.length
  const count = formatCount(addresses.length, 'object')
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`${action.label} ${count}?`}
      name={addresses[0]?.clusterTitle ?? ''}
      impactTitle={
        action.isDanger ? 'These are deleted, and what they own with them:' : 'These are acted on:'
      }
      impact={rest > 0 ? [...named, `and ${formatCount(rest, 'further one')}`] : named}
      action={`${action.label} ${count}`}
      isDestructive={action.isDanger ?? false}
      onConfirm={() => {
        if (areValid(fields, values)) onConfirm(values)
      }}
    >
      <ActionFields fields={fields} values={values} onChange={setValues} />
    </ConfirmDialog>
  )
}
