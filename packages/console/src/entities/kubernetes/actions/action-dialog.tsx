import { useState } from 'react'
import { useClusterAct, useClusterRead } from '../../../data/kubernetes-proxy.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { DelayedSkeleton, Skeleton } from '../../../ui/skeleton.tsx'
import type { ActionInput, ActionTarget, ActionValues, RequestAction } from './action.ts'
import { ActionFields, areValid, initialValues } from './action-fields.tsx'
import { ActionForm } from './action-form.tsx'
import { asActionObject } from './action-object.ts'
import type { ActionAddress } from './run-action.ts'
import { runAction } from './run-action.ts'
import { useTarget } from './use-target.ts'

export interface ActionDialogProps {
  action: RequestAction
  address: ActionAddress
  onClose: () => void
  /** It was done; `next` is where to go then. */
  onDone: (done: { text: string; kubectl: string; next: string | undefined }) => void
}

/** Asks what an action needs to know, shows the line that does the same, and does it. */
export function ActionDialog({ action, address, onClose, onDone }: ActionDialogProps) {
  const { target, failure } = useTarget(address)
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`${action.label} ${address.name}?`}
      description={placeText(address)}
      isModalStrict
    >
      {target ? (
        <LookedUp action={action} target={target} onClose={onClose} onDone={onDone} />
      ) : (
        <Waiting failure={failure} />
      )}
    </Dialog>
  )
}

/** Where an object is, in words. */
export function placeText({ clusterTitle, namespace }: ActionAddress): string {
  return namespace === '' ? `In ${clusterTitle}` : `In ${clusterTitle}, namespace ${namespace}`
}

/** Stands where the form will be. */
export function Waiting({ failure }: { failure: string | undefined }) {
  if (failure !== undefined) return <p role="alert">{failure}</p>
  return (
    <DelayedSkeleton>
      <Skeleton className="h-24" />
    </DelayedSkeleton>
  )
}

type FormProps = Pick<ActionDialogProps, 'onClose' | 'onDone'> & {
  action: RequestAction
  target: ActionTarget
}

/** What has to be read first belongs to the question: the form appears once it is there. */
function LookedUp(props: FormProps) {
  const { action, target } = props
  // As it was when the dialog opened: an object that changes meanwhile must not ask a second time.
  const [request] = useState(() => action.lookUp?.(target))
  const [opened] = useState(() => ({ target, now: new Date() }))
  const read = useClusterRead(target.clusterId, request)
  if (request && read.isPending) return <Waiting failure={undefined} />
  const found = read.data ? asActionObject(read.data) : undefined
  return <PreparedForm {...props} input={{ ...opened, found }} />
}

function PreparedForm({ action, input, onClose, onDone }: FormProps & { input: ActionInput }) {
  const { target } = input
  const fields = action.fields?.(input) ?? []
  const [values, setValues] = useState<ActionValues>(() => initialValues(fields))
  const [prepared] = useState(input)
  const act = useClusterAct((given: ActionValues) => runAction(action, prepared, given))
  const notes = action.notes?.(prepared) ?? []
  const refusal = action.refusal?.(target) ?? action.foundRefusal?.(prepared)
  const kubectl = action.kubectl(prepared, values)
  return (
    <ActionForm
      action={action.label}
      isDanger={action.isDanger ?? false}
      refusal={refusal}
      isValid={areValid(fields, values)}
      isBusy={act.isPending}
      error={act.error}
      kubectl={kubectl}
      onClose={onClose}
      onSubmit={() =>
        act.mutate(values, {
          onSuccess: () => onDone({ text: action.done, kubectl, next: action.next?.(prepared, values) }),
        })
      }
    >
      {refusal ? <p className="text-warn">{refusal}</p> : null}
      {notes.map((note) => (
        <p key={note} className="text-text-2">
          {note}
        </p>
      ))}
      <ActionFields fields={fields} values={values} onChange={setValues} />
    </ActionForm>
  )
}
