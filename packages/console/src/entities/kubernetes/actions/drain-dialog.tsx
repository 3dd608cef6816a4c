import { useState } from 'react'
import { useDrainNode } from '../../../data/node-drain.ts'
import { errorText } from '../../../lib/error-text.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import type { ActionDialogProps } from './action-dialog.tsx'
import { ActionFields, areValid, initialValues } from './action-fields.tsx'
import { ActionForm } from './action-form.tsx'
import type { ActionField } from './action.ts'
import { drainLine } from './node-actions.ts'

const minMinutes = 1
const maxMinutes = 24 * 60

const fields: readonly ActionField[] = [
  {
    name: 'force',
    label: 'Also evict pods that nothing starts again',
    type: 'check',
    initial: '',
    hint: 'Otherwise one such pod stops the drain before anything is evicted.',
  },
  {
    name: 'deleteEmptyDirData',
    label: 'Also evict pods with emptyDir volumes',
    type: 'check',
    initial: '',
    hint: 'What they have written there is lost.',
  },
  {
    name: 'uncordonOnCancel',
    label: 'Uncordon the node when the drain is cancelled',
    type: 'check',
    initial: 'true',
  },
  {
    name: 'minutes',
    label: 'Time limit in minutes',
    type: 'number',
    initial: '10',
    hint: 'A disruption budget may make the drain wait; this is how long.',
    problem(value) {
      const minutes = Number(value)
      const isFine = /^\d+$/.test(value) && minutes >= minMinutes && minutes <= maxMinutes
      return isFine ? undefined : `Enter ${minMinutes} to ${maxMinutes} minutes.`
    },
  },
]

/** Starts a drain as a run of its own, which goes on when the page is closed. */
export function DrainDialog({ address, onClose, onDone }: Omit<ActionDialogProps, 'action'>) {
  const [values, setValues] = useState(() => initialValues(fields))
  const drain = useDrainNode()
  const choices = {
    force: values['force'] === 'true',
    deleteEmptyDirData: values['deleteEmptyDirData'] === 'true',
    uncordonOnCancel: values['uncordonOnCancel'] === 'true',
    timeoutSeconds: Number(values['minutes']) * 60,
  }
  const kubectl = drainLine(address.clusterTitle, address.name, choices)
  const failure = drain.error && errorText('The drain could not be started', drain.error)
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Drain ${address.name}?`}
      description={`In ${address.clusterTitle}. It takes no new pods, and those that run there are moved away.`}
      isModalStrict
    >
      <ActionForm
        action="Drain"
        isValid={areValid(fields, values)}
        isBusy={drain.isPending}
        error={failure && new Error(failure.detail ?? failure.title)}
        kubectl={kubectl}
        onClose={onClose}
        onSubmit={() =>
          drain.mutate(
            { clusterId: address.clusterId, node: address.name, choices },
            {
              onSuccess: ({ workflowId, runId }) =>
                onDone({ text: 'Drain started', kubectl, next: `/workflows/${workflowId}/runs/${runId}` }),
            },
          )
        }
      >
        <p className="text-text-2">
          Pods of daemon sets and of the node itself stay. Disruption budgets are respected: where one allows
          no eviction now, the drain waits and tries again.
        </p>
        <ActionFields fields={fields} values={values} onChange={setValues} />
      </ActionForm>
    </Dialog>
  )
}
