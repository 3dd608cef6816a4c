/** Kubernetes' remote command protocol over a WebSocket (`v5.channel.k8s.io`): the first byte of a frame is its channel. */
const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const

/** The versions that are spoken, the best first. */
export const execProtocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'] as const

const encoder = new TextEncoder()

function frame(channel: number, text: string): Uint8Array<ArrayBuffer> {
  const bytes = encoder.encode(text)
  const result = new Uint8Array(bytes.length + 1)
  result[0] = channel
  result.set(bytes, 1)
  return result
}

export const stdinFrame = (text: string) => frame(channels.stdin, text)

/** The same size again changes nothing, which makes it a sign of life. */
export const resizeFrame = (columns: number, rows: number) =>
  frame(channels.resize, JSON.stringify({ Width: columns, Height: rows }))

export type ExecFrame = { kind: 'output'; bytes: Uint8Array } | { kind: 'end'; end: ExecEnd }

/** How a session ended, by what the cluster says. */
export interface ExecEnd {
  /** 0 for success; undefined where no program ended. */
  exitCode: number | undefined
  message: string
  /** The container has no such program. */
  isNotFound: boolean
}

/** Reads a frame; undefined for a channel that carries nothing of use. */
export function readFrame(data: ArrayBuffer): ExecFrame | undefined {
  const bytes = new Uint8Array(data)
  const content = bytes.subarray(1)
  switch (bytes[0]) {
    case channels.stdout:
    case channels.stderr:
      return { kind: 'output', bytes: content }
    case channels.error:
      return { kind: 'end', end: execEnd(new TextDecoder().decode(content)) }
    default:
      return undefined
  }
}

interface Status {
  status?: string
  message?: string
  details?: { causes?: { reason?: string; message?: string }[] }
}

const notFound =
  /executable file not found|no such file or directory|not found in \$PATH|OCI runtime exec failed/i

/** The end of a session as a Status object of Kubernetes tells it. */
export function execEnd(text: string): ExecEnd {
  const status = statusIn(text)
  if (status.status === 'Success') return { exitCode: 0, message: '', isNotFound: false }
  const code = status.details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message
  const message = status.message ?? text
  const isNotFound = code === undefined ? notFound.test(message) : false
  return { exitCode: code === undefined ? undefined : Number(code), message, isNotFound }
}

function statusIn(text: string): Status {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
