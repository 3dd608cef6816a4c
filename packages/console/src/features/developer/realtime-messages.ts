import type { ReceivedFrame } from '@bey/client'
import type { EntityRef, EventFrame } from '@bey/contract'
import { isEventFrame } from '@bey/contract'

/** What the developer tools list of a workflow's event. */
export interface RealtimeMessage {
  id: string
  type: RealtimeEvent['type']
  timestamp: string
  workflowId: string
  clusterId: number | null
  stepName: string | null
  stepStatus: string | null
  message: string
  /** 0 to 100. */
  progress: number
}

const types = [
  'WORKFLOW_UPDATE',
  'WORKFLOW_STEP_UPDATE',
  'WORKFLOW_LOG',
  'CLUSTER_PROVISIONING_UPDATE',
] as const
type RealtimeEvent = EventFrame<(typeof types)[number]>

/** The newest messages kept, of which the settings menu lists the newest 10. */
const kept = 50
export const barMessages = 10

/** The message in a frame of the socket, if it is one about workflows. */
export function toRealtimeMessage(frame: ReceivedFrame): RealtimeMessage | undefined {
  if (!isEventFrame(frame) || !isRealtime(frame)) return undefined
  const { id, timestamp } = frame
  const base = { id, timestamp, clusterId: null, stepName: null, stepStatus: null, progress: 0 }
  switch (frame.type) {
    case 'WORKFLOW_UPDATE': {
      const { workflowId, status } = frame.data
      return { ...base, type: frame.type, workflowId, message: status }
    }
    case 'WORKFLOW_STEP_UPDATE': {
      const { workflowId, subject, stepName, stepStatus, message, progress } = frame.data
      const clusterId = clusterIdOf(subject)
      return { ...base, type: frame.type, workflowId, clusterId, stepName, stepStatus, message, progress }
    }
    case 'WORKFLOW_LOG': {
      const { workflowId, subject, stepName, message } = frame.data
      return { ...base, type: frame.type, workflowId, clusterId: clusterIdOf(subject), stepName, message }
    }
    case 'CLUSTER_PROVISIONING_UPDATE': {
      const { workflowId, clusterId, stepName, status, error, progress } = frame.data
      return {
        ...base,
        type: frame.type,
        workflowId,
        clusterId,
        stepName,
        message: error ?? status,
        progress,
      }
    }
  }
}

function clusterIdOf(subject: EntityRef | null): number | null {
  return subject?.type === 'cluster' ? Number(subject.id) : null
}

function isRealtime(frame: EventFrame): frame is RealtimeEvent {
  return types.some((type) => type === frame.type)
}

export interface RealtimeBuffer {
  add: (frame: ReceivedFrame) => void
  /** Oldest first; the same list until something changes. */
  list: () => readonly RealtimeMessage[]
  clear: () => void
  subscribe: (listener: () => void) => () => void
}

/** The newest 50 messages. */
export function createRealtimeBuffer(): RealtimeBuffer {
  let messages: readonly RealtimeMessage[] = []
  const listeners = new Set<() => void>()
  const set = (next: readonly RealtimeMessage[]) => {
    messages = next
    for (const listener of listeners) listener()
  }
  return {
    add: (frame) => {
      const message = toRealtimeMessage(frame)
      if (message) set([...messages.slice(1 - kept), message])
    },
    list: () => messages,
    clear: () => set([]),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
