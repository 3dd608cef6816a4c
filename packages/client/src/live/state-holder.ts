import type { EventFrame } from '@bey/contract'
import { liveLimits } from '@bey/contract'
import type { Clock } from '../clock.ts'
import type { LiveState, StateChange } from './state.ts'
import { changed, initialState } from './state.ts'

/** The newest events kept in the state. */
const eventsKept = 50

export type StateHolder = {
  get: () => LiveState
  /** Changes the connection, and says so. */
  change: (next: StateChange) => void
  /** Adds to the messages of the connection. */
  note: (message: string) => void
  /** The rest changes in silence: the state is another one, but the connection is the same. */
  addEvent: (event: EventFrame) => void
  forgetEvents: () => void
  recordActivity: () => void
  /** Begins anew, and says so. */
  reset: () => void
}

/** The state of a live socket; `onChange` hears when the connection changed. */
export function createStateHolder(clock: Clock, onChange: (state: LiveState) => void): StateHolder {
  let state = initialState
  const timestamp = () => new Date(clock.now()).toISOString()

  function set(next: LiveState) {
    state = next
    onChange(state)
  }

  const change = (next: StateChange) => set(changed(state, next))

  return {
    get: () => state,
    change,
    note(message) {
      const messages = [...state.connection_details.connection_messages, { timestamp: timestamp(), message }]
      change({ details: { connection_messages: messages.slice(-liveLimits.connectionMessagesKept) } })
    },
    addEvent(event) {
      state = { ...state, events: [...state.events.slice(1 - eventsKept), event] }
    },
    forgetEvents() {
      state = { ...state, events: [] }
    },
    recordActivity() {
      state = { ...state, last_activity: timestamp() }
    },
    reset: () => set(initialState),
  }
}
