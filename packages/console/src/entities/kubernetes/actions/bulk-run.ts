import { causeOf } from '../../../lib/error-text.ts'
import type { ActionField, ActionValues, ObjectAction } from './action.ts'
import { initialValues } from './action-fields.tsx'
import type { ActionAddress, Outcome } from './run-action.ts'
import { deleteObject, lookUp, readTarget, runAction } from './run-action.ts'

/** How many objects are acted on at once: enough to be quick, few enough for the limits of the proxy. */
const atOnce = 4

/**
 * Acts on several objects, each by itself: what fails or is refused stops none of the others. `report` is called for each
 * as it begins and as it ends, by its position.
 */
export async function runOnAll(
  action: ObjectAction,
  addresses: readonly ActionAddress[],
  values: ActionValues,
  report: (index: number, outcome: Outcome) => void,
): Promise<void> {
  let next = 0
  const work = async () => {
    for (let index = next++; index < addresses.length; index = next++) {
      const address = addresses[index]
      if (!address) return
      report(index, { state: 'pending', text: `${action.pending}…` })
      report(index, await outcomeOf(action, address, values))
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, addresses.length) }, work))
}

async function outcomeOf(
  action: ObjectAction,
  address: ActionAddress,
  values: ActionValues,
): Promise<Outcome> {
  try {
    return await act(action, address, values)
  } catch (error) {
    return { state: 'failed', text: causeOf(error) }
  }
}

async function act(action: ObjectAction, address: ActionAddress, values: ActionValues): Promise<Outcome> {
  const target = await readTarget(address)
  const refusal = action.refusal?.(target)
  if (refusal) return { state: 'out', text: refusal }
  if (action.id === 'delete') {
    const ended = await deleteObject(target, 'Background')
    return { state: 'done', text: ended === 'gone' ? 'Already deleted' : 'Deleted' }
  }
  if (action.form === 'dialog') throw new Error(`"${action.label}" is done with one object at a time.`)
  const input = { target, found: await lookUp(action, target), now: new Date() }
  const own = action.fields?.(input) ?? []
  const shared = action.bulkFields ?? []
  const out = action.foundRefusal?.(input) ?? (isAskedFor(shared, own) ? undefined : action.notes?.(input)[0])
  if (out) return { state: 'out', text: out }
  const sent = { ...initialValues(own), ...values }
  await runAction(action, input, sent)
  return { state: 'done', text: action.done, kubectl: action.kubectl(input, sent) }
}

/** Whether an object takes what was asked for all; one whose autoscaler sets the pods, for example, does not. */
function isAskedFor(shared: readonly ActionField[], own: readonly ActionField[]): boolean {
  return shared.every(({ name }) => own.some((each) => each.name === name))
}
