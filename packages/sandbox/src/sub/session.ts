import type { JsonObject } from '../json.ts'
import type { Result } from '../nodes/shell-result.ts'

export const execProtocols = [
  'v5.channel.k8s.io',
  'v4.channel.k8s.io',
  'v3.channel.k8s.io',
  'v2.channel.k8s.io',
  'channel.k8s.io',
]

/** The first byte of a frame says whose it is. */
export const channel = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const

/** What carries the frames of a session: a WebSocket, or streams that are made to look like one. */
export type SessionSocket = {
  readonly protocol: string
  send(frame: Buffer): void
  close(code?: number): void
  on(event: 'message', listener: (frame: Buffer) => void): unknown
  once(event: 'close', listener: () => void): unknown
}

/** How a program's end is reported to the client. */
export function exitStatus(code: number): JsonObject {
  if (code === 0) return { metadata: {}, status: 'Success' }
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: exit status ${code}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  }
}

/** The two ends of a session in the frames of the channel protocol. */
export class Session {
  readonly #socket: SessionSocket
  readonly isTty: boolean

  constructor(socket: SessionSocket, isTty: boolean) {
    this.#socket = socket
    this.isTty = isTty
    // A real server begins with an empty frame, and clients wait for it.
    this.send(channel.stdout, '')
  }

  send(to: number, data: string | Buffer): void {
    const bytes =
      typeof data === 'string' ? Buffer.from(this.isTty ? data.replaceAll(/\r?\n/g, '\r\n') : data) : data
    this.#socket.send(Buffer.concat([Buffer.from([to]), bytes]))
  }

  show({ out, error }: Result): void {
    if (out.length > 0) this.send(channel.stdout, this.isTty ? out.toString() : out)
    if (error !== '') this.send(this.isTty ? channel.stdout : channel.stderr, error)
  }

  end(status: JsonObject): void {
    this.#socket.send(Buffer.concat([Buffer.from([channel.error]), Buffer.from(JSON.stringify(status))]))
    this.#socket.close(1000)
  }
}
