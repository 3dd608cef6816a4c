import { ticketProtocolPrefix } from '@bey/contract'
import { api } from '../../../lib/api.ts'
import type { ExecEnd } from './exec-protocol.ts'
import { execProtocols, readFrame, resizeFrame, stdinFrame } from './exec-protocol.ts'

/** Something goes over the connection at least this often, or proxies in between would take it for dead. */
const keepAliveMs = 25_000

export interface ExecHandlers {
  onOpen: () => void
  onOutput: (bytes: Uint8Array) => void
  /** Called once. `end` is undefined where the connection was lost without a word of the cluster. */
  onEnd: (end: ExecEnd | undefined) => void
}

export interface ExecSession {
  send: (text: string) => void
  resize: (columns: number, rows: number) => void
  close: () => void
}

/**
 * Opens a terminal in a container. The session's token cannot travel with a WebSocket of a browser: a ticket that opens
 * this one path once is asked for first. Rejects with ApiError where it is refused.
 */
export async function openExec(
  clusterId: number,
  path: string,
  handlers: ExecHandlers,
  signal: AbortSignal,
): Promise<ExecSession> {
  const { ticket } = await api.call(
    'kubernetes.streamTicket',
    { params: { id: clusterId }, body: { path } },
    { signal },
  )
  const origin = location.origin.replace(/^http/, 'ws')
  const url = `${origin}/api/kubernetes/clusters/${clusterId}/proxy${path}`
  const socket = new WebSocket(url, [...execProtocols, `${ticketProtocolPrefix}${ticket}`])
  socket.binaryType = 'arraybuffer'
  let end: ExecEnd | undefined
  let size = { columns: 80, rows: 24 }
  const send = (frame: Uint8Array<ArrayBuffer>) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(frame)
  }
  const timer = setInterval(() => send(resizeFrame(size.columns, size.rows)), keepAliveMs)
  socket.addEventListener('open', () => {
    send(resizeFrame(size.columns, size.rows))
    handlers.onOpen()
  })
  socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const frame = data instanceof ArrayBuffer ? readFrame(data) : undefined
    if (frame?.kind === 'output') handlers.onOutput(frame.bytes)
    else if (frame?.kind === 'end') end = frame.end
  })
  socket.addEventListener('close', () => {
    clearInterval(timer)
    if (!signal.aborted) handlers.onEnd(end)
  })
  signal.addEventListener('abort', () => socket.close())
  if (signal.aborted) socket.close()
  return {
    send: (text) => send(stdinFrame(text)),
    resize(columns, rows) {
      size = { columns, rows }
      send(resizeFrame(columns, rows))
    },
    close: () => socket.close(),
  }
}
