import { useRef, useState } from 'react'
import type { ApiOperation } from '../../data/api-reference.ts'
import { causeOf } from '../../lib/error-text.ts'
import { logger } from '../../lib/logger.ts'
import type { RawCall } from '../../lib/raw-call.ts'
import { rawCall } from '../../lib/raw-call.ts'
import type { CallInput } from './call.ts'
import type { PastCall } from './history.tsx'

const maxHistory = 20

export interface Sender {
  /** Newest first. */
  history: readonly PastCall[]
  isSending: boolean
  send: (operation: ApiOperation, input: CallInput, call: RawCall) => void
  cancel: () => void
}

/** Sends one call at a time and remembers the last 20 of this visit. */
export function useSender(onAnswer: (past: PastCall) => void): Sender {
  const [history, setHistory] = useState<readonly PastCall[]>([])
  const [isSending, setSending] = useState(false)
  const running = useRef<AbortController>(undefined)
  const count = useRef(0)

  const run = async ({ operationId }: ApiOperation, input: CallInput, call: RawCall) => {
    const controller = new AbortController()
    running.current = controller
    setSending(true)
    const outcome = await rawCall(call, controller.signal).catch((error: unknown) =>
      controller.signal.aborted ? 'The call was cancelled.' : causeOf(error),
    )
    setSending(false)
    count.current += 1
    const past = { id: count.current, operationId, input, call, outcome }
    if (typeof outcome !== 'string')
      logger.metric(operationId, outcome.durationMs, { status: outcome.status })
    setHistory((before) => [past, ...before].slice(0, maxHistory))
    onAnswer(past)
  }
  return {
    history,
    isSending,
    send: (operation, input, call) => void run(operation, input, call),
    cancel: () => running.current?.abort(),
  }
}
