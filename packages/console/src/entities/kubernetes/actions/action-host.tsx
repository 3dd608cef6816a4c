import { useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { toast } from '../../../ui/toast.ts'
import type { ActionValues, ObjectAction } from './action.ts'
import { ActionDialog } from './action-dialog.tsx'
import { BulkDialog } from './bulk-dialog.tsx'
import { runOnAll } from './bulk-run.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { DrainDialog } from './drain-dialog.tsx'
import { LabelsDialog } from './labels-dialog.tsx'
import { RollbackDialog } from './rollback-dialog.tsx'
import type { ActionAddress, Outcome } from './run-action.ts'
import { readTarget } from './run-action.ts'

/** Names an object within a list. */
export function addressKey({
  clusterId,
  resource,
  namespace,
  name,
}: Omit<ActionAddress, 'clusterTitle'>): string {
  return [clusterId, resource, namespace, name].join('/')
}

export interface ActionHost {
  /** Does something with one object, or with several, after asking what has to be asked. */
  start: (action: ObjectAction, addresses: readonly ActionAddress[]) => void
  /** What became of each object that was acted on, by `addressKey`. */
  outcomes: ReadonlyMap<string, Outcome>
  clearOutcomes: () => void
  /** The dialog that is open; draw it once. */
  dialog: ReactNode
}

interface Asked {
  action: ObjectAction
  addresses: readonly ActionAddress[]
}

/** Runs actions: asks in a dialog where something has to be asked, and keeps what became of each object. */
export function useActionHost(): ActionHost {
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Asked>()
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const report = useCallback(
    (address: ActionAddress, outcome: Outcome) =>
      setOutcomes((before) => new Map(before).set(addressKey(address), outcome)),
    [],
  )
  const start = useCallback(
    (action: ObjectAction, addresses: readonly ActionAddress[]) => {
      if (addresses.length === 0) return
      const next = { action, addresses }
      const begin = async () => {
        if (await mustAsk(next)) setAsked(next)
        else await run(next, {}, report)
      }
      void begin()
    },
    [report],
  )

  const close = () => setAsked(undefined)
  return {
    start,
    outcomes,
    clearOutcomes: () => setOutcomes(new Map()),
    dialog: asked && (
      <ActionQuestion
        asked={asked}
        onClose={close}
        onConfirm={(values) => {
          close()
          void run(asked, values, report)
        }}
        onDone={({ text, kubectl, next }) => {
          const [address] = asked.addresses
          close()
          if (address) toast('success', `${address.name}: ${lowerFirst(text)}`, { description: kubectl })
          if (next) void navigate({ href: next })
        }}
      />
    ),
  }
}

/** Whether something has to be asked or said first; where the object cannot be read, its dialog says why. */
async function mustAsk({ action, addresses }: Asked): Promise<boolean> {
  const [address] = addresses
  if (action.form === 'dialog' || action.fields || addresses.length !== 1 || !address) return true
  if (!action.notes) return false
  try {
    const target = await readTarget(address)
    return action.notes({ target, found: undefined, now: new Date() }).length > 0
  } catch {
    return true
  }
}

async function run(
  { action, addresses }: Asked,
  values: ActionValues,
  report: (address: ActionAddress, outcome: Outcome) => void,
): Promise<void> {
  await runOnAll(action, addresses, values, (index, outcome) => {
    const address = addresses[index]
    if (!address) return
    report(address, outcome)
    // Several show what became of them in their rows.
    if (addresses.length === 1 && outcome.state !== 'pending') sayOutcome(address, outcome)
  })
}

interface QuestionProps {
  asked: Asked
  onClose: () => void
  onConfirm: (values: ActionValues) => void
  onDone: (done: { text: string; kubectl: string; next: string | undefined }) => void
}

function ActionQuestion({ asked, onClose, onConfirm, onDone }: QuestionProps) {
  const { action, addresses } = asked
  const [address] = addresses
  if (!address) return null
  if (addresses.length > 1) return <BulkDialog {...asked} onClose={onClose} onConfirm={onConfirm} />
  const shared = { address, onClose, onDone }
  if (action.form === 'fields') return <ActionDialog action={action} {...shared} />
  switch (action.id) {
    case 'rollback':
      return <RollbackDialog {...shared} />
    case 'labels':
      return <LabelsDialog {...shared} />
    case 'drain':
      return <DrainDialog {...shared} />
    case 'delete':
      return <DeleteDialog {...shared} />
    default:
      throw new Error(`The action "${action.id}" has no dialog`)
  }
}

function sayOutcome({ name }: ActionAddress, outcome: Outcome): void {
  const id = `action-${name}`
  const { state, text } = outcome
  if (state === 'done') {
    const description = outcome.kubectl
    return toast('success', `${name}: ${lowerFirst(text)}`, { id, ...(description && { description }) })
  }
  toast(state === 'out' ? 'info' : 'error', `${name} was left as it is`, { description: text, id })
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
