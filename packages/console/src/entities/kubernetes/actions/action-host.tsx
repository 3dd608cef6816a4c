import { useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { laterPart } from '../../../lib/later-part.tsx'
import { toast } from '../../../ui/toast.ts'
import type { ActionValues, ObjectAction } from './action.ts'
import { runOnAll } from './bulk-run.ts'
import type { ActionAddress, Outcome } from './run-action.ts'
import { readTarget } from './run-action.ts'

const [ActionQuestion, loadQuestion] = laterPart(
  async () => (await import('./action-question.tsx')).ActionQuestion,
)

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

export interface Asked {
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
      void loadQuestion()
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
